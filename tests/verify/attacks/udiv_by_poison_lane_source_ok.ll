; WANT: ok
define <2 x i8> @src(<2 x i8> %x, <2 x i8> %y) {
  %d = insertelement <2 x i8> %y, i8 poison, i32 1
  %r = udiv <2 x i8> %x, %d
  ret <2 x i8> %r
}
define <2 x i8> @tgt(<2 x i8> %x, <2 x i8> %y) {
  unreachable
}
