; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  %f = freeze <4 x i32> %a
  %g = freeze <4 x i32> %a
  %r = sub <4 x i32> %f, %g
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %f = freeze <4 x i32> %a
  %r = sub <4 x i32> %f, %f
  ret <4 x i32> %r
}
