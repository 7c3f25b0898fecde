; WANT: bad, unknown: not shown to stay
define void @src(ptr %p, i64 %x) {
  %s = or disjoint i64 %x, 1
  %t = add i64 %x, 1
  %q = getelementptr i8, ptr %p, i64 %t
  store i8 1, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p, i64 %x) {
  %s = or disjoint i64 %x, 1
  %q = getelementptr i8, ptr %p, i64 %s
  store i8 1, ptr %q, align 1
  ret void
}
