; WANT: bad
define <4 x i32> @src(<4 x i32> %a) {
  %r = mul <4 x i32> undef, splat (i32 2)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  ret <4 x i32> splat (i32 1)
}
