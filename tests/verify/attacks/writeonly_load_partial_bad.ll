; WANT: bad
define i16 @src(ptr %p) {
  store i16 1, ptr %p
  ret i16 1
}
define i16 @tgt(ptr writeonly %p) {
  store i16 1, ptr %p
  %x = load i16, ptr %p
  ret i16 %x
}
