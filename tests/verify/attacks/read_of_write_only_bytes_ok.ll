; WANT: ok
define i32 @src(ptr %p, i32 %x) {
  store i32 %x, ptr %p, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p, i32 %x) {
  store i32 %x, ptr %p, align 4
  %y = load i32, ptr %p, align 4
  ret i32 %y
}
