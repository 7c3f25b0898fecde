; WANT: ok
define <2 x i8> @src(i8 %x) {
  %i = insertelement <2 x i8> poison, i8 %x, i32 0
  %s = shufflevector <2 x i8> %i, <2 x i8> poison, <2 x i32> zeroinitializer
  ret <2 x i8> %s
}
define <2 x i8> @tgt(i8 %x) {
  %i = insertelement <2 x i8> poison, i8 %x, i32 0
  %j = insertelement <2 x i8> %i, i8 %x, i32 1
  ret <2 x i8> %j
}
