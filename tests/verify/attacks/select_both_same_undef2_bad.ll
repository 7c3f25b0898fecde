; WANT: bad
define i8 @src(i8 %x, i1 %c) {
  %s = select i1 %c, i8 %x, i8 undef
  ret i8 %s
}
define i8 @tgt(i8 %x, i1 %c) {
  ret i8 %x
}
