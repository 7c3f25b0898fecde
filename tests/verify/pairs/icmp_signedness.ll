; WANT: bad
define <4 x i1> @src(<4 x i32> %a, <4 x i32> %b) {
  %r = icmp ult <4 x i32> %a, %b
  ret <4 x i1> %r
}
define <4 x i1> @tgt(<4 x i32> %a, <4 x i32> %b) {
  %r = icmp slt <4 x i32> %a, %b
  ret <4 x i1> %r
}
