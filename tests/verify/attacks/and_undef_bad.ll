; WANT: bad
define i8 @src(i8 noundef %x) {
  %r = and i8 %x, undef
  ret i8 %r
}
define i8 @tgt(i8 noundef %x) {
  ret i8 undef
}
