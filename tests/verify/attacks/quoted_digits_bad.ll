; WANT: bad
define i8 @src(i8 noundef %"0", i8 noundef %0) {
  %r = sub i8 %"0", %0
  ret i8 %r
}
define i8 @tgt(i8 noundef %"0", i8 noundef %0) {
  %r = sub i8 %0, %"0"
  ret i8 %r
}
