; WANT: bad
define i32 @f() {
  ret i32 1
}
!a = !{!0}
!0 = !{i32 2}
