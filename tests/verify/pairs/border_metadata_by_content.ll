; WANT: ok
declare i32 @g(i32)
define i32 @src(i32 %x) {
  %r = call i32 @g(i32 %x), !range !0
  ret i32 %r
}
define i32 @tgt(i32 %x) {
  %r = call i32 @g(i32 %x), !range !1
  ret i32 %r
}
!0 = !{i32 0, i32 9}
!1 = !{i32 0, i32 9}
