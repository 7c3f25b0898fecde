; WANT: bad
define <4 x i32> @src(<4 x i16> %a) {
  %r = zext <4 x i16> %a to <4 x i32>
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i16> %a) {
  %r = sext <4 x i16> %a to <4 x i32>
  ret <4 x i32> %r
}
