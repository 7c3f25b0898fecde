; WANT: ok
define <4 x i16> @src(<4 x i16> range(i16 0, 256) %a) {
  %r = and <4 x i16> %a, splat (i16 255)
  %s = add <4 x i16> %r, splat (i16 1)
  ret <4 x i16> %s
}
define <4 x i16> @tgt(<4 x i16> range(i16 0, 256) %a) {
  %s = add nuw nsw <4 x i16> %a, splat (i16 1)
  ret <4 x i16> %s
}
