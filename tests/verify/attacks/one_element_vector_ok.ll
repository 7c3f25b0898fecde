; WANT: ok
define <1 x i16> @src(<2 x i8> %v) {
  %b = bitcast <2 x i8> %v to <1 x i16>
  %r = add <1 x i16> %b, splat (i16 1)
  ret <1 x i16> %r
}
define <1 x i16> @tgt(<2 x i8> %v) {
  %b = bitcast <2 x i8> %v to i16
  %r = add i16 %b, 1
  %w = insertelement <1 x i16> undef, i16 %r, i64 0
  ret <1 x i16> %w
}
