; WANT: bad
define i32 @src(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt(ptr %p) {
  %v = load i32, ptr %p, !noundef !0
  ret i32 %v
}
!0 = !{}
