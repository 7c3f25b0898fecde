; WANT: bad
define void @src(ptr noalias %p, ptr noalias %q) {
  %v = load i16, ptr %p, align 2, !tbaa !0
  %w = sext i16 %v to i32
  store i32 %w, ptr %q, align 4, !tbaa !2
  ret void
}
define void @tgt(ptr noalias %p, ptr noalias %q) {
  %v = load i16, ptr %p, align 2, !tbaa !0
  %w = zext i16 %v to i32
  store i32 %w, ptr %q, align 4, !tbaa !2
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"short", !4}
!2 = !{!3, !3, i64 0}
!3 = !{!"int", !4}
!4 = !{!"root"}
