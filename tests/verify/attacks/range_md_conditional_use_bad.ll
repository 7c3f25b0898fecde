; WANT: bad
define i8 @src(ptr %p) {
  %x = load i8, ptr %p, align 1, !range !0
  %y = load i8, ptr %p, align 1
  %c = icmp ult i8 %y, 200
  %r = select i1 %c, i8 %y, i8 %x
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %x = load i8, ptr %p, align 1, !range !0
  ret i8 %x
}
!0 = !{i8 0, i8 5}
