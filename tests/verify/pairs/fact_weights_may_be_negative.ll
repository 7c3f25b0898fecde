; WANT: bad
define <8 x i8> @src(<8 x i8> noundef %a, <8 x i8> noundef %x, <8 x i8> noundef %y) {
  %a.w = zext <8 x i8> %a to <8 x i32>
  %x.w = zext <8 x i8> %x to <8 x i32>
  %y.w = zext <8 x i8> %y to <8 x i32>
  %c = sub <8 x i32> splat (i32 100), %a.w
  %p = mul <8 x i32> %a.w, %x.w
  %q = mul <8 x i32> %c, %y.w
  %s = add <8 x i32> %p, %q
  %t = add <8 x i32> %s, splat (i32 127)
  %h = lshr <8 x i32> %t, splat (i32 9)
  %r = trunc <8 x i32> %h to <8 x i8>
  ret <8 x i8> %r
}
define <8 x i8> @tgt(<8 x i8> noundef %a, <8 x i8> noundef %x, <8 x i8> noundef %y) {
  %a.w = zext <8 x i8> %a to <8 x i16>
  %x.w = zext <8 x i8> %x to <8 x i16>
  %y.w = zext <8 x i8> %y to <8 x i16>
  %c = sub <8 x i16> splat (i16 100), %a.w
  %p = mul <8 x i16> %a.w, %x.w
  %q = mul <8 x i16> %c, %y.w
  %s = add <8 x i16> %p, %q
  %t = add <8 x i16> %s, splat (i16 127)
  %h = ashr <8 x i16> %t, splat (i16 9)
  %r = trunc <8 x i16> %h to <8 x i8>
  ret <8 x i8> %r
}
