; WANT: bad
define <4 x i32> @src(<4 x i32> %a, <4 x i32> %b) {
  %r = or <4 x i32> %a, %b
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a, <4 x i32> %b) {
  %r = or disjoint <4 x i32> %a, %b
  ret <4 x i32> %r
}
