; WANT: bad
define i8 @src(ptr %p, i1 noundef %c) {
  %x = load i8, ptr %p, align 1, !range !0
  %r = select i1 %c, i8 %x, i8 0
  ret i8 %r
}
define i8 @tgt(ptr %p, i1 noundef %c) {
  %x = load i8, ptr %p, align 1, !range !0
  %m = sext i1 %c to i8
  %r = and i8 %x, %m
  ret i8 %r
}
!0 = !{i8 0, i8 5}
