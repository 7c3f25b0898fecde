; WANT: ok
define i16 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr %q, align 1
  %c = zext i8 %a to i16
  %d = zext i8 %b to i16
  %e = shl i16 %d, 8
  %r = or i16 %c, %e
  ret i16 %r
}
define i16 @tgt(ptr %p) {
  %r = load i16, ptr %p, align 1
  ret i16 %r
}
