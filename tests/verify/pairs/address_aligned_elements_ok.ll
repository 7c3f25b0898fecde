; WANT: ok
target datalayout = "e-i16:32"
define i8 @src(ptr %p) {
  %q = getelementptr i16, ptr %p, i64 1
  %r = load i8, ptr %q, align 1
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4
  %r = load i8, ptr %q, align 1
  ret i8 %r
}
