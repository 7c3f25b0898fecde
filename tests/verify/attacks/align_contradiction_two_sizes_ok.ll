; WANT: ok
define i8 @src(ptr %p) {
  %x = load i8, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 4
  %y = load i8, ptr %q, align 8
  ret i8 %y
}
define i8 @tgt(ptr %p) {
  ret i8 3
}
