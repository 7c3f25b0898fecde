; WANT: bad
define void @src(ptr %p, i8 %u) {
  %a = and i8 %u, 1
  store i8 %a, ptr %p, align 1
  %q = getelementptr i8, ptr %p, i64 1
  store i8 %a, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p, i8 %u) {
  store i8 2, ptr %p, align 1
  %q = getelementptr i8, ptr %p, i64 1
  store i8 0, ptr %q, align 1
  ret void
}
