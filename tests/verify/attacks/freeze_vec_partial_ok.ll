; WANT: ok
define <2 x i8> @src(i8 noundef %x) {
  %v = insertelement <2 x i8> undef, i8 %x, i32 0
  %f = freeze <2 x i8> %v
  ret <2 x i8> %f
}
define <2 x i8> @tgt(i8 noundef %x) {
  %r = insertelement <2 x i8> <i8 poison, i8 42>, i8 %x, i32 0
  ret <2 x i8> %r
}
