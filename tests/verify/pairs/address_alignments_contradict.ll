; WANT: ok, unknown: contradict each other
define i8 @src(ptr align 8 %p) {
  %q = getelementptr i8, ptr %p, i64 4
  %r = load i8, ptr %q, align 8
  ret i8 %r
}
define i8 @tgt(ptr align 8 %p) {
  unreachable
}
