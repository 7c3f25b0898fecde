; WANT: bad
define i32 @src(ptr %p) {
  %x = load i32, ptr %p
  store i32 %x, ptr %p
  ret i32 %x
}
define i32 @tgt(ptr %p) memory(argmem: write) {
  %x = load i32, ptr %p
  store i32 %x, ptr %p
  ret i32 %x
}
