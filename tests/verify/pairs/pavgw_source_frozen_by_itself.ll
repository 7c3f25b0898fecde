; WANT: bad, unknown: LangRef leaves open
declare <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16>, <8 x i16>)
define <8 x i16> @src(<8 x i16> %a, <8 x i16> %b) {
  %r = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %a, <8 x i16> %b)
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<8 x i16> %a, <8 x i16> %b) {
  %x = zext <8 x i16> %a to <8 x i32>
  %y = zext <8 x i16> %b to <8 x i32>
  %s = add nuw nsw <8 x i32> %x, %y
  %t = add nuw nsw <8 x i32> %s, splat (i32 1)
  %u = lshr <8 x i32> %t, splat (i32 1)
  %r = trunc <8 x i32> %u to <8 x i16>
  ret <8 x i16> %r
}
