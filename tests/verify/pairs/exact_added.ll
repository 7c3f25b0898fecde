; WANT: bad
define <4 x i32> @src(<4 x i32> %a) {
  %r = lshr <4 x i32> %a, splat (i32 3)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %r = lshr exact <4 x i32> %a, splat (i32 3)
  ret <4 x i32> %r
}
