; WANT: ok
define i8 @src(i8 %x) {
  %d = sdiv i8 %x, -1
  ret i8 %d
}
define i8 @tgt(i8 %x) {
  %d = sub nsw i8 0, %x
  ret i8 %d
}
