; WANT: bad
define <2 x i8> @src(<2 x i8> %x) {
  ret <2 x i8> %x
}
define range(i8 0, 127) <2 x i8> @tgt(<2 x i8> %x) {
  ret <2 x i8> %x
}
