; WANT: bad
define i32 @src(ptr %p) {
  %x = load i32, ptr %p, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %x = load i32, ptr %p, align 4, !invariant.load !0
  ret i32 %x
}
!0 = !{}
