; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  %r = udiv <4 x i32> %a, undef
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  ret <4 x i32> zeroinitializer
}
