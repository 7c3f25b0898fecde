; WANT: bad
define i16 @src(i8 noundef %a, i8 noundef %b, i16 noundef %y) {
  ret i16 %y
}
define i16 @tgt(i8 noundef %a, i8 noundef %b, i16 noundef %y) {
  %x = add nsw i8 %a, %b
  %f = freeze i8 %x
  %w = sext i8 %f to i16
  %aw = sext i8 %a to i16
  %bw = sext i8 %b to i16
  %t = add i16 %aw, %bw
  %d = sub i16 %w, %t
  %r = or i16 %d, %y
  ret i16 %r
}
