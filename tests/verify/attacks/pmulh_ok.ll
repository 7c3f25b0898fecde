; WANT: ok
declare <8 x i16> @llvm.x86.sse2.pmulhu.w(<8 x i16>, <8 x i16>)
define <8 x i16> @src(<8 x i16> %x, <8 x i16> %y) {
  %a = zext <8 x i16> %x to <8 x i32>
  %b = zext <8 x i16> %y to <8 x i32>
  %m = mul nuw <8 x i32> %a, %b
  %s = lshr <8 x i32> %m, splat (i32 16)
  %r = trunc nuw <8 x i32> %s to <8 x i16>
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<8 x i16> %x, <8 x i16> %y) {
  %a = call <8 x i16> @llvm.x86.sse2.pmulhu.w(<8 x i16> %x, <8 x i16> %y)
  ret <8 x i16> %a
}
