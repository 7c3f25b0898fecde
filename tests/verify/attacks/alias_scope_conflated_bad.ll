; WANT: bad
define void @src(ptr %p, ptr %q) {
  %x = load i32, ptr %p, align 4, !alias.scope !2
  store i32 %x, ptr %q, align 4, !noalias !4
  ret void
}
define void @tgt(ptr %p, ptr %q) {
  %x = load i32, ptr %p, align 4, !alias.scope !2
  store i32 %x, ptr %q, align 4, !noalias !2
  ret void
}
!0 = distinct !{!0, !"dom"}
!1 = distinct !{!1, !0}
!2 = !{!1}
!3 = distinct !{!3, !0}
!4 = !{!3}
