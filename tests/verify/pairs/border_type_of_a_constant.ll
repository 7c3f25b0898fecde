; WANT: bad, unknown: is not modelled
define i32 @src(ptr noalias %p) {
  store i32 1, ptr %p, align 4, !tbaa !0
  ret i32 1
}
define i32 @tgt(ptr noalias %p) {
  store i32 1, ptr %p, align 4
  ret i32 2
}
!0 = !{!1, !1, i64 0, i64 1}
!1 = !{!"int", !2}
!2 = !{!"root"}
