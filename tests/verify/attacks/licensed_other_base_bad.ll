; WANT: bad
define i32 @src(ptr %p, ptr %q) {
  %a = getelementptr inbounds i8, ptr %p, i64 4
  %x = load i32, ptr %a, align 4
  %b = getelementptr i8, ptr %q, i64 4
  %y = load i32, ptr %b, align 4
  %r = add i32 %x, %y
  ret i32 %r
}
define i32 @tgt(ptr %p, ptr %q) {
  %a = getelementptr inbounds i8, ptr %p, i64 4
  %x = load i32, ptr %a, align 4
  %b = getelementptr inbounds i8, ptr %q, i64 4
  %y = load i32, ptr %b, align 4
  %r = add i32 %x, %y
  ret i32 %r
}
