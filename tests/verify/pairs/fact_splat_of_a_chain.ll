; WANT: ok
define <8 x i32> @src(i8 %a) {
  %w = zext i8 %a to i32
  %s = sub i32 255, %w
  %v.i = insertelement <8 x i32> poison, i32 %s, i64 0
  %v = shufflevector <8 x i32> %v.i, <8 x i32> poison, <8 x i32> zeroinitializer
  ret <8 x i32> %v
}
define <8 x i32> @tgt(i8 %a) {
  %f = freeze i8 %a
  %b.i = insertelement <8 x i8> poison, i8 %f, i64 0
  %b = shufflevector <8 x i8> %b.i, <8 x i8> poison, <8 x i32> zeroinitializer
  %w = zext <8 x i8> %b to <8 x i32>
  %v = sub <8 x i32> splat (i32 255), %w
  ret <8 x i32> %v
}
