; WANT: bad
define <4 x i32> @src(<4 x i32> %a) {
  %f = freeze <4 x i32> %a
  ret <4 x i32> %f
}
define <4 x i32> @tgt(<4 x i32> %a) {
  ret <4 x i32> %a
}
