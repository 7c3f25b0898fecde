; WANT: ok
define void @src(ptr %p, i16 noundef %x, i16 noundef %y) {
  %q = getelementptr i8, ptr %p, i64 1
  store i16 %x, ptr %p, align 1
  store i16 %y, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p, i16 noundef %x, i16 noundef %y) {
  %q = getelementptr i8, ptr %p, i64 1
  %t = trunc i16 %x to i8
  store i8 %t, ptr %p, align 1
  store i16 %y, ptr %q, align 1
  ret void
}
