; WANT: bad, unknown: flags of an address
define i8 @src(ptr %p) {
  %u = getelementptr inbounds i8, ptr %p, i64 9
  %q = getelementptr i8, ptr %p, i64 9
  %r = load i8, ptr %q, align 1
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 9
  %r = load i8, ptr %q, align 1
  ret i8 %r
}
