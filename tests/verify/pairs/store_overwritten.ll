; WANT: ok
define void @src(<4 x i32> %a, ptr noalias %o) {
  store <4 x i32> %a, ptr %o, align 16
  store <4 x i32> zeroinitializer, ptr %o, align 16
  ret void
}
define void @tgt(<4 x i32> %a, ptr noalias %o) {
  store <4 x i32> zeroinitializer, ptr %o, align 16
  ret void
}
