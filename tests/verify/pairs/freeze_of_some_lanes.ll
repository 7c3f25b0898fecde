; WANT: ok
; The lane that is defined is kept by the freeze, the other one is any number.
define <2 x i8> @src(<2 x i8> %x) {
  %v = insertelement <2 x i8> %x, i8 3, i64 0
  %f = freeze <2 x i8> %v
  ret <2 x i8> %f
}
define <2 x i8> @tgt(<2 x i8> %x) {
  %f = freeze <2 x i8> %x
  %r = insertelement <2 x i8> %f, i8 3, i64 0
  ret <2 x i8> %r
}
