; WANT: ok
define noundef i8 @src(i8 %x) {
  ret i8 %x
}
define noundef i8 @tgt(i8 %x) {
  %f = freeze i8 %x
  ret i8 %f
}
