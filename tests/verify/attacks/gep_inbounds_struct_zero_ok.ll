; WANT: ok
define i32 @src(ptr %p) {
  %x = load i32, ptr %p, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %a = getelementptr inbounds {i32, i32}, ptr %p, i64 0, i32 0
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
