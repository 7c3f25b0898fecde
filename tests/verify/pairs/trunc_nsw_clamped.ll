; WANT: ok
declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
define <4 x i16> @src(<4 x i32> %a) {
  %r = trunc nsw <4 x i32> %a to <4 x i16>
  ret <4 x i16> %r
}
define <4 x i16> @tgt(<4 x i32> %a) {
  %x = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %a, <4 x i32> splat (i32 32767))
  %y = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %x, <4 x i32> splat (i32 -32768))
  %r = trunc <4 x i32> %y to <4 x i16>
  ret <4 x i16> %r
}
