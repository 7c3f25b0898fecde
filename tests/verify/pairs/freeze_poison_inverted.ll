; WANT: ok
define <4 x i32> @src(<4 x i32> noundef %a) {
  %f = freeze <4 x i32> poison
  %s = add <4 x i32> %f, splat (i32 9)
  %r = xor <4 x i32> %s, splat (i32 -1)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a) {
  ret <4 x i32> %a
}
