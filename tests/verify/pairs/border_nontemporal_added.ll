; WANT: bad, unknown: metadata of an access
define void @src(ptr %p, i32 %v) {
  %s = add i32 %v, %v
  store i32 %s, ptr %p, align 4
  ret void
}
define void @tgt(ptr %p, i32 %v) {
  %s = shl i32 %v, 1
  store i32 %s, ptr %p, align 4, !nontemporal !0
  ret void
}
!0 = !{i32 1}
