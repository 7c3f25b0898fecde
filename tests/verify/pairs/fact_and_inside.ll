; WANT: ok
define <8 x i32> @src(i32 %k) {
  %m = and i32 %k, 127
  %c = sub i32 128, %m
  %v.i = insertelement <8 x i32> poison, i32 %c, i64 0
  %v = shufflevector <8 x i32> %v.i, <8 x i32> poison, <8 x i32> zeroinitializer
  ret <8 x i32> %v
}
define <8 x i32> @tgt(i32 %k) {
  %f = freeze i32 %k
  %t = trunc i32 %f to i8
  %m = and i8 %t, 127
  %c = sub i8 -128, %m
  %b.i = insertelement <8 x i8> poison, i8 %c, i64 0
  %b = shufflevector <8 x i8> %b.i, <8 x i8> poison, <8 x i32> zeroinitializer
  %v = zext <8 x i8> %b to <8 x i32>
  ret <8 x i32> %v
}
