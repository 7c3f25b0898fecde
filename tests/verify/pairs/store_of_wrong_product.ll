; WANT: bad
define void @src(ptr noalias %p, ptr noalias %o) {
  %v = load <4 x i32>, ptr %p, align 16
  %r = mul <4 x i32> %v, splat (i32 8)
  store <4 x i32> %r, ptr %o, align 16
  ret void
}
define void @tgt(ptr noalias %p, ptr noalias %o) {
  %v = load <4 x i32>, ptr %p, align 16
  %r = shl <4 x i32> %v, splat (i32 4)
  store <4 x i32> %r, ptr %o, align 16
  ret void
}
