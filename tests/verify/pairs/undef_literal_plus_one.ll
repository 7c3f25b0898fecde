; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  %r = add <4 x i32> undef, splat (i32 1)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  ret <4 x i32> zeroinitializer
}
