; WANT: ok
define <8 x i8> @src(<8 x i16> %a) {
  %r = trunc <8 x i16> %a to <8 x i8>
  ret <8 x i8> %r
}
define <8 x i8> @tgt(<8 x i16> %a) {
  %w = bitcast <8 x i16> %a to <16 x i8>
  %r = shufflevector <16 x i8> %w, <16 x i8> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  ret <8 x i8> %r
}
