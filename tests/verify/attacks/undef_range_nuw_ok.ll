; WANT: ok
define i8 @src(i8 range(i8 0, 5) %x) {
  %b = add i8 %x, 251
  ret i8 %b
}
define i8 @tgt(i8 range(i8 0, 5) %x) {
  %a = add nuw i8 %x, 251
  ret i8 %a
}
