; WANT: ok
define i32 @src(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 8
  %x = load i32, ptr %a, align 8
  %y = load i32, ptr %p, align 4
  %z = add i32 %x, %y
  ret i32 %z
}
define i32 @tgt(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 8
  %y = load i32, ptr %p, align 8
  %x = load i32, ptr %a, align 8
  %z = add i32 %x, %y
  ret i32 %z
}
