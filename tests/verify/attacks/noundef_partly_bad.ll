; WANT: bad
define i8 @src(i8 %x) {
  %r = or i8 %x, 0
  ret i8 %r
}
define noundef i8 @tgt(i8 %x) {
  ret i8 %x
}
