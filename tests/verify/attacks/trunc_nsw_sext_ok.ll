; WANT: ok
define i16 @src(i16 %x) {
  %a = trunc nsw i16 %x to i8
  %b = sext i8 %a to i16
  ret i16 %b
}
define i16 @tgt(i16 %x) {
  ret i16 %x
}
