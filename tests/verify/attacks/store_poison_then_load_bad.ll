; WANT: bad
define i16 @src(ptr %p) {
  store i8 poison, ptr %p
  %x = load i16, ptr %p
  store i16 %x, ptr %p
  %h = lshr i16 %x, 8
  ret i16 0
}
define i16 @tgt(ptr %p) {
  store i8 poison, ptr %p
  %x = load i16, ptr %p
  %h = lshr i16 %x, 8
  ret i16 %h
}
