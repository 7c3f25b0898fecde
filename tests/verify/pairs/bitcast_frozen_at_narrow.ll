; WANT: ok
define <16 x i8> @src(<16 x i8> %a) {
  ret <16 x i8> %a
}
define <16 x i8> @tgt(<16 x i8> %a) {
  %f = freeze <16 x i8> %a
  %w = bitcast <16 x i8> %f to <8 x i16>
  %s = bitcast <8 x i16> %w to <16 x i8>
  ret <16 x i8> %s
}
