; WANT: bad, unknown: metadata of an access
define i32 @src(ptr %p) {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define i32 @tgt(ptr %p) {
  %v = load i32, ptr %p, align 4, !invariant.load !0
  %w = add i32 %v, 0
  ret i32 %w
}
!0 = !{}
