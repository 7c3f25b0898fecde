; WANT: ok
define i8 @src(i8 %x, i8 %y) {
  %d = sdiv i8 %x, %y
  %r = add i8 %d, 0
  ret i8 %r
}
define i8 @tgt(i8 %x, i8 %y) {
  %d = sdiv i8 %x, %y
  ret i8 %d
}
