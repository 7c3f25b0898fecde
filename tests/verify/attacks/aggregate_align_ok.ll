; WANT: ok
target datalayout = "e-a:64"
define i8 @src(ptr %p) {
  %a = getelementptr {i8}, ptr %p, i64 1
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 8
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
