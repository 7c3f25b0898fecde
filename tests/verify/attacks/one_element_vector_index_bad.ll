; WANT: bad
define i16 @src(<1 x i16> %v, i1 noundef %i) {
  %b = extractelement <1 x i16> %v, i32 0
  ret i16 %b
}
define i16 @tgt(<1 x i16> %v, i1 noundef %i) {
  %b = extractelement <1 x i16> %v, i1 %i
  ret i16 %b
}
