; WANT: bad
define i32 @src(ptr %p) memory(argmem: write) {
  store i32 7, ptr %p, align 4
  ret i32 7
}
define i32 @tgt(ptr %p) memory(argmem: write) {
  store i32 7, ptr %p, align 4
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
