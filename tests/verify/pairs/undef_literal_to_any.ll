; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  ret <4 x i32> undef
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %r = mul <4 x i32> %a, %a
  %f = freeze <4 x i32> %r
  ret <4 x i32> %f
}
