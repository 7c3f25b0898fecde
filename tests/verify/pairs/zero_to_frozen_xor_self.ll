; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  ret <4 x i32> zeroinitializer
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %f = freeze <4 x i32> %a
  %r = xor <4 x i32> %f, %f
  ret <4 x i32> %r
}
