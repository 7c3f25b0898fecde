; WANT: ok
define <2 x i8> @src(<2 x i8> %x, <2 x i8> noundef %y) {
  %d = srem <2 x i8> %x, %y
  %r = or <2 x i8> %d, zeroinitializer
  ret <2 x i8> %r
}
define <2 x i8> @tgt(<2 x i8> %x, <2 x i8> noundef %y) {
  %d = srem <2 x i8> %x, %y
  ret <2 x i8> %d
}
