; WANT: bad
define i8 @src(i8 noundef %x, i8 noundef %y) {
  %a = zext i8 %x to i16
  %b = zext i8 %y to i16
  %s = add i16 %a, %b
  %t = add i16 %s, 1
  %h = lshr i16 %t, 1
  %r = trunc i16 %h to i8
  ret i8 %r
}
define i8 @tgt(i8 noundef %x, i8 noundef %y) {
  %a = or i8 %x, %y
  %b = xor i8 %x, %y
  %c = ashr i8 %b, 1
  %r = sub i8 %a, %c
  ret i8 %r
}
