; WANT: bad
define <8 x i16> @src(i8 noundef %b, <8 x i16> noundef %x, <8 x i16> noundef %y) {
  %m = bitcast i8 %b to <8 x i1>
  %r = select <8 x i1> %m, <8 x i16> %x, <8 x i16> %y
  ret <8 x i16> %r
}
define <8 x i16> @tgt(i8 noundef %b, <8 x i16> noundef %x, <8 x i16> noundef %y) {
  %w = zext i8 %b to i16
  %i = insertelement <8 x i16> poison, i16 %w, i64 0
  %s = shufflevector <8 x i16> %i, <8 x i16> poison, <8 x i32> zeroinitializer
  %a = and <8 x i16> %s, <i16 1, i16 2, i16 4, i16 8, i16 16, i16 32, i16 64, i16 128>
  %m = icmp ne <8 x i16> %a, zeroinitializer
  %r = select <8 x i1> %m, <8 x i16> %y, <8 x i16> %x
  ret <8 x i16> %r
}
