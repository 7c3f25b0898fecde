; WANT: bad
@g = external global i8, !absolute_symbol !0
define i64 @f() {
  ret i64 ptrtoint (ptr @g to i64)
}
!0 = !{i64 0, i64 4}
