; WANT: bad, unknown: not shown to stay
define void @src(ptr %p, i64 %x) {
  %s = getelementptr inbounds i8, ptr %p, i64 %x
  %q = getelementptr i8, ptr %p, i64 %x
  store i8 1, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p, i64 %x) {
  %s = getelementptr inbounds i8, ptr %p, i64 %x
  %z = getelementptr i8, ptr %s, i64 0
  store i8 1, ptr %z, align 1
  ret void
}
