; WANT: bad
; a type that a load before a store promises says nothing of one behind it
define i32 @src(ptr %p, i32 %x) {
  %a = load i32, ptr %p, align 4, !tbaa !0
  store i32 %x, ptr %p, align 4, !tbaa !4
  %b = load i32, ptr %p, align 4
  %r = add i32 %a, %b
  ret i32 %r
}
define i32 @tgt(ptr %p, i32 %x) {
  %a = load i32, ptr %p, align 4, !tbaa !0
  store i32 %x, ptr %p, align 4, !tbaa !4
  %b = load i32, ptr %p, align 4, !tbaa !0
  %r = add i32 %b, %a
  ret i32 %r
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"short", !2, i64 0}
