; WANT: ok
define i8 @src(ptr %p) {
  %x = load i8, ptr %p, align 1, !range !0
  %r = and i8 %x, 7
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %x = load i8, ptr %p, align 1
  ret i8 %x
}
!0 = !{i8 0, i8 5}
