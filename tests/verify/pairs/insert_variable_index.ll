; WANT: bad
define <4 x i32> @src(<4 x i32> %a, i32 %s, i32 noundef %i) {
  %j = and i32 %i, 3
  %r = insertelement <4 x i32> %a, i32 %s, i32 %j
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a, i32 %s, i32 noundef %i) {
  %r = insertelement <4 x i32> %a, i32 %s, i32 %i
  ret <4 x i32> %r
}
