; WANT: ok
define <2 x i8> @src(<2 x i8> %x) {
  %r = udiv <2 x i8> %x, <i8 undef, i8 2>
  ret <2 x i8> %r
}
define <2 x i8> @tgt(<2 x i8> %x) {
  ret <2 x i8> poison
}
