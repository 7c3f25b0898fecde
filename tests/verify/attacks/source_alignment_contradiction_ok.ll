; WANT: ok
define i32 @src(ptr %p) {
  %x = load i32, ptr %p, align 4
  %a = getelementptr i8, ptr %p, i64 2
  %y = load i32, ptr %a, align 4
  %r = add i32 %x, %y
  ret i32 %r
}
define i32 @tgt(ptr %p) {
  ret i32 0
}
