; WANT: bad
define i8 @src() {
  %r = mul i8 undef, 4
  ret i8 %r
}
define i8 @tgt() {
  ret i8 13
}
