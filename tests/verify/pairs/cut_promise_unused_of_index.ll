; WANT: bad, unknown: reads what the source does not read
define i8 @src(ptr %p, i64 %x) {
  %s = add nsw i64 %x, 1
  %t = add i64 %x, 1
  %q = getelementptr i8, ptr %p, i64 %t
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @tgt(ptr %p, i64 %x) {
  %s = add nsw i64 %x, 1
  %q = getelementptr i8, ptr %p, i64 %s
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
