; WANT: ok
target datalayout = "e-m:e"
define i8 @src(ptr %p) {
  %a = getelementptr {i8, i64}, ptr %p, i64 0, i32 1
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 4
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
