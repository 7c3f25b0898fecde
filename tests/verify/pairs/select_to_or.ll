; WANT: bad
define <4 x i1> @src(<4 x i1> %a, <4 x i1> %b) {
  %r = select <4 x i1> %a, <4 x i1> splat (i1 true), <4 x i1> %b
  ret <4 x i1> %r
}
define <4 x i1> @tgt(<4 x i1> %a, <4 x i1> %b) {
  %r = or <4 x i1> %a, %b
  ret <4 x i1> %r
}
