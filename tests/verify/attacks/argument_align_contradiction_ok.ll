; WANT: ok
define i8 @src(ptr align 8 %p) {
  %q = getelementptr i8, ptr %p, i64 4
  %y = load i8, ptr %q, align 8
  ret i8 %y
}
define i8 @tgt(ptr align 8 %p) {
  ret i8 3
}
