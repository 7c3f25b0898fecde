; WANT: ok
define i8 @src(ptr %p) {
  %w = load i8, ptr %p, align 1, !noundef !0
  %x = load i8, ptr %p, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %x = load i8, ptr %p, align 1, !noundef !0
  ret i8 %x
}
!0 = !{}
