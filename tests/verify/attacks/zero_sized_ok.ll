; WANT: ok
define i8 @src(ptr %p) {
  %a = getelementptr {{}, i8, [0 x i64], i8}, ptr %p, i64 1, i32 3
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %a = getelementptr {i8, [0 x i64], i8}, ptr %p, i64 1, i32 2
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
