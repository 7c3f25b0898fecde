; WANT: bad
define void @src(ptr %p, i32 %v) {
  store i32 %v, ptr %p, align 4, !nontemporal !0
  ret void
}
define void @tgt(ptr %p, i32 %v) {
  %w = add i32 %v, 1
  store i32 %w, ptr %p, align 4, !nontemporal !0
  ret void
}
!0 = !{i32 1}
