; WANT: ok
define <8 x i16> @src(<8 x i8> %a) {
  %r = zext <8 x i8> %a to <8 x i16>
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<8 x i8> %a) {
  %s = shufflevector <8 x i8> %a, <8 x i8> zeroinitializer, <16 x i32> <i32 0, i32 8, i32 1, i32 8, i32 2, i32 8, i32 3, i32 8, i32 4, i32 8, i32 5, i32 8, i32 6, i32 8, i32 7, i32 8>
  %r = bitcast <16 x i8> %s to <8 x i16>
  ret <8 x i16> %r
}
