; WANT: bad
define <2 x i8> @src(i8 noundef %x) {
  %v = insertelement <2 x i8> undef, i8 %x, i32 0
  %f = freeze <2 x i8> %v
  %r = add <2 x i8> %f, %f
  ret <2 x i8> %r
}
define <2 x i8> @tgt(i8 noundef %x) {
  %v = insertelement <2 x i8> undef, i8 %x, i32 0
  %r = add <2 x i8> %v, %v
  ret <2 x i8> %r
}
