; WANT: ok
declare <8 x i16> @llvm.x86.sse2.psrli.w(<8 x i16>, i32)
define <8 x i16> @src(<8 x i16> %x) {
  %a = call <8 x i16> @llvm.x86.sse2.psrli.w(<8 x i16> %x, i32 3)
  %r = shl <8 x i16> %a, splat (i16 1)
  %s = add <8 x i16> %a, %r
  ret <8 x i16> %s
}
define <8 x i16> @tgt(<8 x i16> %x) {
  %a = lshr <8 x i16> %x, splat (i16 3)
  %r = shl <8 x i16> %a, splat (i16 1)
  %s = add <8 x i16> %a, %r
  ret <8 x i16> %s
}
