; WANT: bad, unknown: was not shown to stay
; a release does not order a nontemporal store on x86 (REFINEMENT R9)
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr %p, ptr %q, <4 x i32> %v) {
  %s = add <4 x i32> %v, %v
  store <4 x i32> %s, ptr %p, align 16
  store atomic i32 1, ptr %q release, align 4
  ret void
}

define void @tgt(ptr %p, ptr %q, <4 x i32> %v) {
  %s = shl <4 x i32> %v, splat (i32 1)
  store <4 x i32> %s, ptr %p, align 16, !nontemporal !0
  store atomic i32 1, ptr %q release, align 4
  ret void
}

!0 = !{i32 1}
