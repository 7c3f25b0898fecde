; WANT: bad, unknown: the heads of the functions differ
define void @src(ptr %p, ptr %q, i1 noundef %c) {
  %s = select i1 %c, ptr %p, ptr %q
  store i8 0, ptr %s
  ret void
}
define void @tgt(ptr %p, ptr %q, i1 noundef %c) memory(readwrite, argmem: none) {
  %s = select i1 %c, ptr %p, ptr %q
  store i8 0, ptr %s
  ret void
}
