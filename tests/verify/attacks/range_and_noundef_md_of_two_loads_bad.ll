; WANT: bad
define i8 @src(ptr %p) {
  %d = load i8, ptr %p, align 1, !range !0
  %x = load i8, ptr %p, align 1, !noundef !1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %x = load i8, ptr %p, align 1, !range !0, !noundef !1
  ret i8 %x
}
!0 = !{i8 0, i8 5}
!1 = !{}
