; WANT: bad
define i32 @src(ptr %p) {
  %d = getelementptr inbounds i8, ptr %p, i64 4
  %x = load i32, ptr %d, align 4
  %e = getelementptr i8, ptr %d, i64 -8
  %f = getelementptr i8, ptr %e, i64 4
  %y = load i32, ptr %f, align 4
  %r = add i32 %x, %y
  ret i32 %r
}
define i32 @tgt(ptr %p) {
  %d = getelementptr inbounds i8, ptr %p, i64 4
  %x = load i32, ptr %d, align 4
  %e = getelementptr inbounds i8, ptr %d, i64 -8
  %f = getelementptr i8, ptr %e, i64 4
  %y = load i32, ptr %f, align 4
  %r = add i32 %x, %y
  ret i32 %r
}
