; WANT: bad
define <8 x i8> @src(<8 x i8> noundef %x, <8 x i8> noundef %y) {
  %x.w = zext <8 x i8> %x to <8 x i32>
  %y.w = zext <8 x i8> %y to <8 x i32>
  %p = mul <8 x i32> %x.w, splat (i32 160)
  %q = mul <8 x i32> %y.w, splat (i32 106)
  %s = add <8 x i32> %p, %q
  %h = lshr <8 x i32> %s, splat (i32 9)
  %r = trunc <8 x i32> %h to <8 x i8>
  ret <8 x i8> %r
}
define <8 x i8> @tgt(<8 x i8> noundef %x, <8 x i8> noundef %y) {
  %x.w = zext <8 x i8> %x to <8 x i16>
  %y.w = zext <8 x i8> %y to <8 x i16>
  %p = mul <8 x i16> %x.w, splat (i16 160)
  %q = mul <8 x i16> %y.w, splat (i16 106)
  %s = add <8 x i16> %p, %q
  %h = lshr <8 x i16> %s, splat (i16 9)
  %r = trunc <8 x i16> %h to <8 x i8>
  ret <8 x i8> %r
}
