; WANT: ok
define <12 x i8> @src(<8 x i16> %s) {
  %a = shufflevector <8 x i16> %s, <8 x i16> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %b = shufflevector <8 x i16> %s, <8 x i16> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %x = trunc <4 x i16> %a to <4 x i8>
  %ah = lshr <4 x i16> %a, splat (i16 8)
  %at = trunc <4 x i16> %ah to <4 x i8>
  %am = and <4 x i8> %at, splat (i8 15)
  %bt = trunc <4 x i16> %b to <4 x i8>
  %bl = shl <4 x i8> %bt, splat (i8 4)
  %y = or <4 x i8> %am, %bl
  %bh = lshr <4 x i16> %b, splat (i16 4)
  %z = trunc <4 x i16> %bh to <4 x i8>
  %xy = shufflevector <4 x i8> %x, <4 x i8> %y, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %zz = shufflevector <4 x i8> %z, <4 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %r = shufflevector <8 x i8> %xy, <8 x i8> %zz, <12 x i32> <i32 0, i32 4, i32 8, i32 1, i32 5, i32 9, i32 2, i32 6, i32 10, i32 3, i32 7, i32 11>
  ret <12 x i8> %r
}
define <12 x i8> @tgt(<8 x i16> %s) {
  %f = freeze <8 x i16> %s
  %d = bitcast <8 x i16> %f to <4 x i32>
  %l = and <4 x i32> %d, splat (i32 4095)
  %m = lshr <4 x i32> %d, splat (i32 4)
  %h = and <4 x i32> %m, splat (i32 16773120)
  %j = or <4 x i32> %l, %h
  %b = bitcast <4 x i32> %j to <16 x i8>
  %r = shufflevector <16 x i8> %b, <16 x i8> poison, <12 x i32> <i32 0, i32 1, i32 2, i32 4, i32 5, i32 6, i32 8, i32 9, i32 10, i32 12, i32 13, i32 14>
  ret <12 x i8> %r
}
