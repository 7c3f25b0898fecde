; WANT: ok
define i8 @src(i8 noundef %x) {
  %r = or i8 %x, undef
  ret i8 %r
}
define i8 @tgt(i8 noundef %x) {
  ret i8 -1
}
