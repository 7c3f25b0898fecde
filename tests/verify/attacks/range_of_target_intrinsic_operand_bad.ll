; WANT: bad
declare <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16>, <8 x i16>)
define <8 x i16> @src(<8 x i16> noundef %x, <8 x i16> noundef %y) {
  %a = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %x, <8 x i16> %y)
  ret <8 x i16> %a
}
define <8 x i16> @tgt(<8 x i16> noundef %x, <8 x i16> noundef %y) {
  %a = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> range(i16 0, 5) %x, <8 x i16> %y)
  ret <8 x i16> %a
}
