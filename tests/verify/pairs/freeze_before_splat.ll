; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  %s = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> zeroinitializer
  %f = freeze <4 x i32> %s
  ret <4 x i32> %f
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %f = freeze <4 x i32> %a
  %s = shufflevector <4 x i32> %f, <4 x i32> poison, <4 x i32> zeroinitializer
  ret <4 x i32> %s
}
