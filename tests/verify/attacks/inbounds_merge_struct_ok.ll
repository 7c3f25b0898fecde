; WANT: ok
define i32 @src(ptr %p) {
  %a = getelementptr inbounds [4 x {i32, i32}], ptr %p, i64 0, i64 1, i32 1
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %a = getelementptr inbounds i8, ptr %p, i64 12
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
