; WANT: ok
target datalayout = "e"
define i8 @src(ptr %p) {
  %a = getelementptr <9 x i1>, ptr %p, i64 3
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 6
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
