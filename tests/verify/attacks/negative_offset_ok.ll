; WANT: ok
define i8 @src(ptr %p) {
  %q = getelementptr [3 x i8], ptr %p, i32 -1, i32 1
  %a = load i8, ptr %q, align 1
  ret i8 %a
}
define i8 @tgt(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 -2
  %a = load i8, ptr %q, align 1
  ret i8 %a
}
