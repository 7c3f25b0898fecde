; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  %r = shl nuw <4 x i32> %a, splat (i32 5)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %r = mul nuw <4 x i32> %a, splat (i32 32)
  ret <4 x i32> %r
}
