; WANT: bad
define i8 @src(i8 %x) {
  ret i8 undef
}
define i8 @tgt(i8 %x) {
  %r = shl i8 1, undef
  ret i8 %r
}
