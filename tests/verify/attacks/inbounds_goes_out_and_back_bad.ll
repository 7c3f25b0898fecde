; WANT: bad
define i32 @src(ptr %p) {
  %x = load i32, ptr %p, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %a = getelementptr inbounds [4 x i32], ptr %p, i64 1, i64 -4
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
