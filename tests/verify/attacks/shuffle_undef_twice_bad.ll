; WANT: bad
define <2 x i8> @src(<2 x i8> %v) {
  %f = freeze <2 x i8> %v
  %e = shufflevector <2 x i8> %f, <2 x i8> poison, <2 x i32> zeroinitializer
  ret <2 x i8> %e
}
define <2 x i8> @tgt(<2 x i8> %v) {
  %e = shufflevector <2 x i8> %v, <2 x i8> poison, <2 x i32> zeroinitializer
  %f = freeze <2 x i8> %e
  ret <2 x i8> %f
}
