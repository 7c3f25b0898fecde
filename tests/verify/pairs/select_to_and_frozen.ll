; WANT: ok
define <4 x i1> @src(<4 x i1> %a, <4 x i1> %b) {
  %r = select <4 x i1> %a, <4 x i1> %b, <4 x i1> zeroinitializer
  ret <4 x i1> %r
}
define <4 x i1> @tgt(<4 x i1> %a, <4 x i1> %b) {
  %g = freeze <4 x i1> %b
  %r = and <4 x i1> %a, %g
  ret <4 x i1> %r
}
