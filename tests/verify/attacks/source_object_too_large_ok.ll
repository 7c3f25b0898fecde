; WANT: ok
define i8 @src(ptr %p) {
  %x = load i8, ptr %p, align 1
  %a = getelementptr i8, ptr %p, i64 9223372036854775807
  %y = load i8, ptr %a, align 1
  %r = add i8 %x, %y
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  ret i8 0
}
