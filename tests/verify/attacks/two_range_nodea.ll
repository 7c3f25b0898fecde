; WANT: bad
define i8 @f(ptr %p) {
  %x = load i8, ptr %p, !range !0
  ret i8 %x
}
!0 = !{i8 0, i8 5}
