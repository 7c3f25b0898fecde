; WANT: bad
define i8 @src(i8 noundef %x) {
  %u = and i8 undef, 1
  %r = or i8 %u, 2
  ret i8 %r
}
define noundef i8 @tgt(i8 noundef %x) {
  %u = and i8 undef, 1
  %r = or i8 %u, 2
  ret i8 %r
}
