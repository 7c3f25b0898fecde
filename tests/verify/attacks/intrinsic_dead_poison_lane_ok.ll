; WANT: ok
declare <8 x i16> @llvm.x86.sse2.psrai.w(<8 x i16>, i32)
define i16 @src(<8 x i16> %x) {
  %e = extractelement <8 x i16> %x, i32 3
  %r = ashr i16 %e, 4
  ret i16 %r
}
define i16 @tgt(<8 x i16> %x) {
  %s = shufflevector <8 x i16> %x, <8 x i16> poison, <8 x i32> <i32 poison, i32 poison, i32 poison, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
  %e = call <8 x i16> @llvm.x86.sse2.psrai.w(<8 x i16> %s, i32 4)
  %r = extractelement <8 x i16> %e, i32 3
  ret i16 %r
}
