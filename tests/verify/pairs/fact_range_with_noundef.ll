; WANT: ok
define i16 @src(i16 noundef range(i16 0, 256) %a, i16 noundef %y) {
  ret i16 %y
}
define i16 @tgt(i16 noundef range(i16 0, 256) %a, i16 noundef %y) {
  %f = freeze i16 %a
  %s = lshr i16 %f, 8
  %r = or i16 %s, %y
  ret i16 %r
}
