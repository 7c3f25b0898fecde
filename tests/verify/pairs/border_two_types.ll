; WANT: bad, unknown: is not modelled
define i32 @src(ptr noalias %p) {
  store i16 1, ptr %p, align 4, !tbaa !0
  %v = load i32, ptr %p, align 4, !tbaa !2
  ret i32 %v
}
define i32 @tgt(ptr noalias %p) {
  store i16 1, ptr %p, align 4
  ret i32 7
}
!0 = !{!1, !1, i64 0}
!1 = !{!"short", !4}
!2 = !{!3, !3, i64 0}
!3 = !{!"int", !4}
!4 = !{!"root"}
