; WANT: bad
define void @src(<4 x i32> %a, ptr noalias %o) {
  store <4 x i32> %a, ptr %o, align 16
  ret void
}
define void @tgt(<4 x i32> %a, ptr noalias %o) {
  ret void
}
