; an intermediate value with another use stays, the rest of the window goes
target triple = "x86_64-pc-linux-gnu"

define <16 x i8> @shared(<16 x i8> %a, <16 x i8> %b, ptr %o) {
  %za = zext <16 x i8> %a to <16 x i16>
  %zb = zext <16 x i8> %b to <16 x i16>
  %s = add nuw nsw <16 x i16> %za, %zb
  %s1 = add nuw nsw <16 x i16> %s, splat (i16 1)
  %h = lshr <16 x i16> %s1, splat (i16 1)
  %r = trunc <16 x i16> %h to <16 x i8>
  store <16 x i16> %s, ptr %o, align 32
  ret <16 x i8> %r
}
