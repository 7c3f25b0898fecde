; WANT: ok
define i8 @src(ptr %p) {
  %r = load i8, ptr %p, align 1
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 0
  %r = load i8, ptr %q, align 1
  ret i8 %r
}
