; WANT: bad
define i8 @src(ptr %p, ptr %q) {
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr %q, align 1
  ret i8 %a
}
define i8 @tgt(ptr %p, ptr %q) {
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr %q, align 1
  ret i8 %b
}
