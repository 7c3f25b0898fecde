; WANT: bad
define i1 @src(ptr %p) {
  %x = load i8, ptr %p, align 1, !range !0, !noundef !1
  %r = icmp eq i8 %x, 0
  ret i1 %r
}
define i1 @tgt(ptr %p) {
  ret i1 false
}
!0 = !{i8 -5, i8 5}
!1 = !{}
