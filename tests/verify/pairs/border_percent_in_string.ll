; WANT: bad, unknown: the operand
define [3 x i8] @src() {
  ret [3 x i8] c"%ab"
}
define [3 x i8] @tgt() {
  ret [3 x i8] c"%ba"
}
