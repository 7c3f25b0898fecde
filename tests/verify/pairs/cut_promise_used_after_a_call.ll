; WANT: bad, unknown: reads what the source does not read
declare void @f()
define i8 @src(ptr %p, i64 %x) {
  %s = getelementptr inbounds i8, ptr %p, i64 %x
  %q = getelementptr i8, ptr %p, i64 %x
  %v = load i8, ptr %q, align 1
  call void @f()
  %w = load i8, ptr %s, align 1
  %r = add i8 %v, %w
  ret i8 %r
}
define i8 @tgt(ptr %p, i64 %x) {
  %s = getelementptr inbounds i8, ptr %p, i64 %x
  %v = load i8, ptr %s, align 1
  call void @f()
  %w = load i8, ptr %s, align 1
  %r = add i8 %v, %w
  ret i8 %r
}
