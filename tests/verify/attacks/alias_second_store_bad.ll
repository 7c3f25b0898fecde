; WANT: bad
define i16 @src(ptr %p, ptr %q) {
  store i16 1, ptr %p
  %x = load i16, ptr %q
  ret i16 %x
}
define i16 @tgt(ptr %p, ptr %q) {
  %x = load i16, ptr %q
  store i16 1, ptr %p
  ret i16 %x
}
