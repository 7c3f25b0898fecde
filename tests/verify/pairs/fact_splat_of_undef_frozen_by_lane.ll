; WANT: ok
define <8 x i16> @src(i8 %a) {
  %w = zext i8 %a to i16
  %v.i = insertelement <8 x i16> poison, i16 %w, i64 0
  %v = shufflevector <8 x i16> %v.i, <8 x i16> poison, <8 x i32> zeroinitializer
  ret <8 x i16> %v
}
define <8 x i16> @tgt(i8 %a) {
  %b.i = insertelement <8 x i8> poison, i8 %a, i64 0
  %b = shufflevector <8 x i8> %b.i, <8 x i8> poison, <8 x i32> zeroinitializer
  %f = freeze <8 x i8> %b
  %v = zext <8 x i8> %f to <8 x i16>
  ret <8 x i16> %v
}
