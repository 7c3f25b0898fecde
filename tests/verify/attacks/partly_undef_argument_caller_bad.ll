; WANT: bad
define i8 @src(i8 %x) {
  %s = and i8 %x, 1
  %t = add i8 %s, 0
  ret i8 %t
}
define i8 @tgt(i8 %x) {
  %s = and i8 %x, 1
  %d = add i8 %s, %s
  %t = sub i8 %d, %s
  ret i8 %t
}
