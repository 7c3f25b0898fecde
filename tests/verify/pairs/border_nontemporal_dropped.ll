; WANT: ok
define void @src(ptr noalias %p, ptr %q) {
  %v = load i32, ptr %q, align 4, !nontemporal !0
  %s = add i32 %v, 0
  store i32 %s, ptr %p, align 4, !nontemporal !0
  ret void
}
define void @tgt(ptr noalias %p, ptr %q) {
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
!0 = !{i32 1}
