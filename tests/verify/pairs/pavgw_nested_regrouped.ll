; WANT: bad
declare <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16>, <8 x i16>)
define <8 x i16> @src(<8 x i16> noundef %a, <8 x i16> noundef %b, <8 x i16> noundef %c) {
  %x = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %a, <8 x i16> %b)
  %r = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %x, <8 x i16> %c)
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<8 x i16> noundef %a, <8 x i16> noundef %b, <8 x i16> noundef %c) {
  %x = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %b, <8 x i16> %c)
  %r = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %a, <8 x i16> %x)
  ret <8 x i16> %r
}
