; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  ret <4 x i32> %a
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %f = freeze <4 x i32> %a
  ret <4 x i32> %f
}
