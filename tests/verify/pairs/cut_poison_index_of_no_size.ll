; WANT: bad, unknown: not shown to stay
define void @src(ptr %p, i64 %x, i64 %i, i8 %v) {
  %q = getelementptr i8, ptr %p, i64 %i
  store i8 %v, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p, i64 %x, i64 %i, i8 %v) {
  %q0 = getelementptr {}, ptr %p, i64 %x
  %q = getelementptr i8, ptr %q0, i64 %i
  store i8 %v, ptr %q, align 1
  ret void
}
