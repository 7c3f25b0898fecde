; WANT: bad
define i32 @src(ptr %p) {
  %x = load i32, ptr %p
  %y = add i32 %x, 0
  ret i32 %y
}
define i32 @tgt(ptr %p) memory(errnomem: write) {
  %x = load i32, ptr %p
  ret i32 %x
}
