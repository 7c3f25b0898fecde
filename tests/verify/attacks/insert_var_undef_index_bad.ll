; WANT: bad
define <2 x i8> @src(<2 x i8> %v, i1 %i) {
  %x = extractelement <2 x i8> %v, i1 %i
  %e = insertelement <2 x i8> %v, i8 %x, i1 %i
  ret <2 x i8> %e
}
define <2 x i8> @tgt(<2 x i8> %v, i1 %i) {
  %x = extractelement <2 x i8> %v, i1 %i
  %y = insertelement <2 x i8> %v, i8 %x, i32 0
  %z = insertelement <2 x i8> %y, i8 %x, i32 1
  ret <2 x i8> %z
}
