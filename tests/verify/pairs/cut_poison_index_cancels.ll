; WANT: bad, unknown: not shown to stay
define void @src(ptr %p, i64 %x, i8 %v) {
  store i8 %v, ptr %p, align 1
  ret void
}
define void @tgt(ptr %p, i64 %x, i8 %v) {
  %z = sub i64 %x, %x
  %q = getelementptr i8, ptr %p, i64 %z
  store i8 %v, ptr %q, align 1
  ret void
}
