; WANT: bad, unknown: reads what the source does not read
define i8 @src(ptr %p, i64 %x, i64 %i) {
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @tgt(ptr %p, i64 %x, i64 %i) {
  %a = add i64 %x, %i
  %b = sub i64 %a, %x
  %q = getelementptr i8, ptr %p, i64 %b
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
