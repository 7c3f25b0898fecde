; WANT: bad
define i32 @src(ptr %p) {
  %d = getelementptr inbounds i8, ptr %p, i64 400
  %b = getelementptr i8, ptr %p, i64 400
  %c = getelementptr i8, ptr %b, i64 -396
  %x = load i32, ptr %c, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %d = getelementptr inbounds i8, ptr %p, i64 400
  %c = getelementptr i8, ptr %d, i64 -396
  %x = load i32, ptr %c, align 4
  ret i32 %x
}
