; WANT: ok
define i8 @src(ptr %p) {
  %u = getelementptr inbounds i8, ptr %p, i64 9
  %v = load i8, ptr %u, align 1
  %q = getelementptr i8, ptr %p, i64 9
  %r = load i8, ptr %q, align 1
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 9
  %r = load i8, ptr %q, align 1
  ret i8 %r
}
