; WANT: ok
%S = type <{ i32, i16 }>
define i16 @src(ptr %p) {
  %q = getelementptr %S, ptr %p, i64 1, i32 1
  %r = load i16, ptr %q, align 2
  ret i16 %r
}
define i16 @tgt(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 10
  %r = load i16, ptr %q, align 2
  ret i16 %r
}
