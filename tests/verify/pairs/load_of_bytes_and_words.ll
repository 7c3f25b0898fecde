; WANT: ok
; A byte of the second argument is read by itself, then the word that it is in.
define i32 @src(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  %g = getelementptr i8, ptr %q, i64 1
  %b = load i8, ptr %g, align 1
  %c = load i32, ptr %q, align 4
  %w = zext i8 %b to i32
  %s = add i32 %w, %c
  %r = add i32 %s, %a
  ret i32 %r
}
define i32 @tgt(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  %g = getelementptr i8, ptr %q, i64 1
  %b = load i8, ptr %g, align 1
  %c = load i32, ptr %q, align 4
  %w = zext i8 %b to i32
  %s = add i32 %w, %a
  %r = add i32 %s, %c
  ret i32 %r
}
