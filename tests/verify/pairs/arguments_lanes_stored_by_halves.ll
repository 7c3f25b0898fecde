; WANT: bad, unknown: hang together
define void @src(<8 x i16> %x, ptr %p) {
  %s = add <8 x i16> %x, splat (i16 1)
  store <8 x i16> %s, ptr %p
  ret void
}
define void @tgt(<8 x i16> %x, ptr %p) {
  %e0 = shufflevector <8 x i16> %x, <8 x i16> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %e1 = shufflevector <8 x i16> %x, <8 x i16> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %s0 = add <4 x i16> %e0, splat (i16 1)
  %s1 = add <4 x i16> %e1, splat (i16 1)
  %s = shufflevector <4 x i16> %s0, <4 x i16> %s1, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x i16> %s, ptr %p
  ret void
}
