; WANT: bad
define i8 @src(i8 noundef %x, i8 noundef %y) {
  %s = select i1 undef, i8 %x, i8 %y
  %r = xor i8 %s, 1
  ret i8 %r
}
define i8 @tgt(i8 noundef %x, i8 noundef %y) {
  ret i8 undef
}
