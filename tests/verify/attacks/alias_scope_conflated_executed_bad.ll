; WANT: bad
define i32 @src(ptr %p) {
  %x = load i32, ptr %p, align 4, !alias.scope !2
  store i32 7, ptr %p, align 4, !noalias !4
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(ptr %p) {
  %x = load i32, ptr %p, align 4, !alias.scope !2
  store i32 7, ptr %p, align 4, !noalias !2
  ret i32 %x
}
!0 = distinct !{!0, !"dom"}
!1 = distinct !{!1, !0}
!2 = !{!1}
!3 = distinct !{!3, !0}
!4 = !{!3}
