; a freeze of a value that may be poison is a leaf, and is neither copied nor removed
target triple = "x86_64-pc-linux-gnu"

define <16 x i8> @freeze(<16 x i8> %x, <16 x i8> %b) {
  %y = add nsw <16 x i8> %x, splat (i8 1)
  %a = freeze <16 x i8> %y
  %za = zext <16 x i8> %a to <16 x i16>
  %zb = zext <16 x i8> %b to <16 x i16>
  %s = add nuw nsw <16 x i16> %za, %zb
  %s1 = add nuw nsw <16 x i16> %s, splat (i16 1)
  %h = lshr <16 x i16> %s1, splat (i16 1)
  %r = trunc <16 x i16> %h to <16 x i8>
  ret <16 x i8> %r
}
