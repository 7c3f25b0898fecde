; WANT: bad
define i8 @src(i8 %x) {
  %f = and i8 %x, 15
  ret i8 %f
}
define range(i8 -8, 8) i8 @tgt(i8 %x) {
  %f = and i8 %x, 15
  ret i8 %f
}
