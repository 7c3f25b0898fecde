; WANT: bad
define void @src(ptr %p, i32 %x) {
  %y = add i32 %x, 0
  store i32 %y, ptr %p, align 4
  ret void
}
define void @tgt(ptr %p, i32 %x) {
  store i32 %x, ptr %p, align 4, !nontemporal !0
  ret void
}
!0 = !{i32 1}
