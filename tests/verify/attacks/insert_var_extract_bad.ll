; WANT: bad
define <2 x i8> @src(<2 x i8> %v, i32 noundef %i) {
  ret <2 x i8> %v
}
define <2 x i8> @tgt(<2 x i8> %v, i32 noundef %i) {
  %x = extractelement <2 x i8> %v, i32 %i
  %e = insertelement <2 x i8> %v, i8 %x, i32 %i
  ret <2 x i8> %e
}
