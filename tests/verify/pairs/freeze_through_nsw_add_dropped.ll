; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  %s = add nsw <4 x i32> %a, splat (i32 7)
  %f = freeze <4 x i32> %s
  ret <4 x i32> %f
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %f = freeze <4 x i32> %a
  %s = add <4 x i32> %f, splat (i32 7)
  ret <4 x i32> %s
}
