; WANT: bad
define <2 x i8> @src(<2 x i8> %v) {
  %e = insertelement <2 x i8> %v, i8 undef, i32 0
  ret <2 x i8> %e
}
define <2 x i8> @tgt(<2 x i8> %v) {
  ret <2 x i8> %v
}
