; WANT: ok
define i8 @src(i8 returned %x) {
  ret i8 %x
}
define i8 @tgt(i8 returned %x) {
  %r = or i8 %x, 0
  ret i8 %r
}
