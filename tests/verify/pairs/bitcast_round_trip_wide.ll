; WANT: ok
define <8 x i16> @src(<8 x i16> %a) {
  ret <8 x i16> %a
}
define <8 x i16> @tgt(<8 x i16> %a) {
  %w = bitcast <8 x i16> %a to <16 x i8>
  %s = bitcast <16 x i8> %w to <8 x i16>
  ret <8 x i16> %s
}
