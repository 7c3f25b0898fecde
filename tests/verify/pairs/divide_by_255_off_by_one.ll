; WANT: bad
define <16 x i8> @src(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %m = mul nuw <16 x i16> %x, %y
  %q = udiv <16 x i16> %m, splat (i16 255)
  %r = trunc <16 x i16> %q to <16 x i8>
  ret <16 x i8> %r
}
define <16 x i8> @tgt(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %m = mul nuw <16 x i16> %x, %y
  %q = lshr <16 x i16> %m, splat (i16 8)
  %r = trunc <16 x i16> %q to <16 x i8>
  ret <16 x i8> %r
}
