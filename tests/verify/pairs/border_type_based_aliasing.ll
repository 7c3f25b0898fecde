; WANT: bad
define i32 @src(ptr %p) {
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
}
define i32 @tgt(ptr %p) {
  ret i32 1
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
