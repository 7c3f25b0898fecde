; WANT: bad
define <16 x i8> @src(<16 x i8> %a) {
  %r = and <16 x i8> %a, <i8 -1, i8 0, i8 -1, i8 0, i8 -1, i8 0, i8 -1, i8 0, i8 -1, i8 0, i8 -1, i8 0, i8 -1, i8 0, i8 -1, i8 0>
  %s = shufflevector <16 x i8> %r, <16 x i8> zeroinitializer, <16 x i32> <i32 0, i32 17, i32 2, i32 17, i32 4, i32 17, i32 6, i32 17, i32 8, i32 17, i32 10, i32 17, i32 12, i32 17, i32 14, i32 17>
  ret <16 x i8> %s
}
define <16 x i8> @tgt(<16 x i8> %a) {
  %w = bitcast <16 x i8> %a to <8 x i16>
  %m = and <8 x i16> %w, splat (i16 255)
  %s = bitcast <8 x i16> %m to <16 x i8>
  ret <16 x i8> %s
}
