; WANT: ok
target datalayout = "e-i64:64"
%A = type <{ i8, { i8, i32 }, i8 }>
define i8 @src(ptr %p) {
  %a = getelementptr [2 x %A], ptr %p, i64 0, i64 1, i32 2
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 19
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
