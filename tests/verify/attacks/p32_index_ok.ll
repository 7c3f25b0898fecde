; WANT: ok
target datalayout = "e-p:32:32"
define i8 @src(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 4294967297
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %a = getelementptr i8, ptr %p, i32 1
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
