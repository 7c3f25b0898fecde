; WANT: bad
define void @src(ptr %p, ptr noalias %q) {
  %a = load <4 x i8>, ptr %p, align 1
  store <4 x i8> %a, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p, ptr noalias %q) {
  %a = load i32, ptr %p, align 1
  store i32 %a, ptr %q, align 1
  ret void
}
