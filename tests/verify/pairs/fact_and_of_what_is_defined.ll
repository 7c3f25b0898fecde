; WANT: ok
define i16 @src(i16 noundef %a, i16 noundef %y) {
  ret i16 %y
}
define i16 @tgt(i16 noundef %a, i16 noundef %y) {
  %x = and i16 %a, 255
  %f = freeze i16 %x
  %s = lshr i16 %f, 8
  %r = or i16 %s, %y
  ret i16 %r
}
