; WANT: bad
define i8 @src(<8 x i1> %m) {
  %e = extractelement <8 x i1> %m, i32 0
  %z = zext i1 %e to i8
  ret i8 %z
}
define i8 @tgt(<8 x i1> %m) {
  %b = bitcast <8 x i1> %m to i8
  %z = and i8 %b, 1
  ret i8 %z
}
