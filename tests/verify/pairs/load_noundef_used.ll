; WANT: ok
; What is loaded is neither poison nor undef: each of its uses is the same number.
define i32 @src(ptr %p) {
  %v = load i32, ptr %p, !noundef !0
  %r = shl i32 %v, 1
  ret i32 %r
}
define i32 @tgt(ptr %p) {
  %v = load i32, ptr %p, !noundef !0
  %f = freeze i32 %v
  %r = add i32 %f, %f
  ret i32 %r
}
!0 = !{}
