; WANT: bad
declare <8 x i16> @llvm.x86.sse2.psrli.w(<8 x i16>, i32)
declare <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16>, <8 x i16>)
define i16 @src(<8 x i16> %x, <8 x i16> %y) {
  %a = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %x, <8 x i16> %y)
  %r = extractelement <8 x i16> %a, i32 0
  ret i16 %r
}
define i16 @tgt(<8 x i16> %x, <8 x i16> %y) {
  %a = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> noundef %x, <8 x i16> noundef %y)
  %r = extractelement <8 x i16> %a, i32 0
  ret i16 %r
}
