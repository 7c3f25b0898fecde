; WANT: ok
define i8 @src(i8 %x) {
  %a = and i8 %x, -16
  %b = or i8 %a, 3
  ret i8 %b
}
define i8 @tgt(i8 %x) {
  %a = or i8 %x, 15
  %b = xor i8 %a, 12
  ret i8 %b
}
