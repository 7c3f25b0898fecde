; WANT: bad
define i8 @src(ptr %p) {
  %w = load i16, ptr %p, align 1, !range !0
  %x = load i8, ptr %p, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %w = load i16, ptr %p, align 1, !range !0
  %x = trunc i16 %w to i8
  ret i8 %x
}
!0 = !{i16 0, i16 5}
