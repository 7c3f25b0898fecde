; WANT: bad
define <8 x i8> @src(<8 x i16> %a) {
  %r = trunc <8 x i16> %a to <8 x i8>
  ret <8 x i8> %r
}
define <8 x i8> @tgt(<8 x i16> %a) {
  %w = bitcast <8 x i16> %a to <16 x i8>
  %r = shufflevector <16 x i8> %w, <16 x i8> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  ret <8 x i8> %r
}
