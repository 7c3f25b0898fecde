; WANT: bad
define i8 @src(i16 %x) {
  %a = trunc nsw i16 %x to i8
  ret i8 %a
}
define i8 @tgt(i16 %x) {
  %a = trunc nuw nsw i16 %x to i8
  ret i8 %a
}
