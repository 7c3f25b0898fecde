; WANT: ok
define i32 @src(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  store i32 3, ptr %q, align 4
  %r = or i32 %a, 0
  ret i32 %r
}
define i32 @tgt(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  store i32 3, ptr %q, align 4
  ret i32 %a
}
