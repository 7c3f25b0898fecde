; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  %r = udiv exact <4 x i32> %a, splat (i32 8)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %r = lshr exact <4 x i32> %a, splat (i32 3)
  ret <4 x i32> %r
}
