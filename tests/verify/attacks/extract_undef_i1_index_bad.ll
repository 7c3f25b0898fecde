; WANT: bad
define i8 @src(<2 x i8> %v) {
  %e = extractelement <2 x i8> %v, i1 undef
  ret i8 %e
}
define i8 @tgt(<2 x i8> %v) {
  ret i8 poison
}
