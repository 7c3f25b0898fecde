; WANT: bad, unknown: the operand ptrtoint
@g = external global i8
@h = external global i8
define i64 @src() {
  ret i64 ptrtoint (ptr @g to i64)
}
define i64 @tgt() {
  ret i64 ptrtoint (ptr @h to i64)
}
