; WANT: bad
define i16 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 -3
  %a = load i16, ptr %q, align 1
  ret i16 %a
}
define i16 @tgt(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 -2
  %a = load i16, ptr %q, align 1
  ret i16 %a
}
