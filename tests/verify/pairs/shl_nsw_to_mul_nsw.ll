; WANT: bad
define <4 x i32> @src(<4 x i32> %a) {
  %r = shl nsw <4 x i32> %a, splat (i32 31)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %r = mul nsw <4 x i32> %a, splat (i32 -2147483648)
  ret <4 x i32> %r
}
