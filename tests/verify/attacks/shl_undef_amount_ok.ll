; WANT: ok
define i8 @src(i8 %x) {
  %r = shl i8 %x, undef
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  ret i8 poison
}
