; WANT: ok
declare <8 x i16> @llvm.x86.sse2.psrli.w(<8 x i16>, i32)
define <8 x i16> @src() {
  %a = call <8 x i16> @llvm.x86.sse2.psrli.w(<8 x i16> undef, i32 3)
  %s = sub <8 x i16> %a, %a
  ret <8 x i16> %s
}
define <8 x i16> @tgt() {
  %a = lshr <8 x i16> undef, splat (i16 3)
  %s = sub <8 x i16> %a, %a
  ret <8 x i16> %s
}
