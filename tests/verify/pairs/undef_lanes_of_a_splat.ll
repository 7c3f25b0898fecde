; WANT: bad
define <2 x i8> @src() {
  %f = freeze i8 undef
  %i = insertelement <2 x i8> poison, i8 %f, i32 0
  %s = shufflevector <2 x i8> %i, <2 x i8> poison, <2 x i32> zeroinitializer
  ret <2 x i8> %s
}
define <2 x i8> @tgt() {
  %i = insertelement <2 x i8> poison, i8 undef, i32 0
  %s = shufflevector <2 x i8> %i, <2 x i8> poison, <2 x i32> zeroinitializer
  %f = freeze <2 x i8> %s
  ret <2 x i8> %f
}
