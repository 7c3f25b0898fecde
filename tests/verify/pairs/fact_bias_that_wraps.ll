; WANT: bad
define <8 x i16> @src(<8 x i16> noundef %v) {
  %a = add <8 x i16> %v, splat (i16 64)
  %s = ashr <8 x i16> %a, splat (i16 7)
  %r = add <8 x i16> %s, splat (i16 3)
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<8 x i16> noundef %v) {
  %a = add <8 x i16> %v, splat (i16 448)
  %r = ashr <8 x i16> %a, splat (i16 7)
  ret <8 x i16> %r
}
