; WANT: bad
define i8 @src(i8 noundef %x, i1 noundef %c) {
  ret i8 %x
}
define i8 @tgt(i8 noundef range(i8 0, -1) %x, i1 noundef %c) {
  ret i8 %x
}
