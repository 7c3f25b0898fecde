; WANT: bad
define void @src(<4 x i32> noundef %a, <4 x i32> noundef %b, <4 x i32> noundef %c, <4 x i32> noundef %d, ptr noalias %o) {
  %ab = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %cd = shufflevector <4 x i32> %c, <4 x i32> %d, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %r0 = shufflevector <8 x i32> %ab, <8 x i32> %cd, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
  %r1 = shufflevector <8 x i32> %ab, <8 x i32> %cd, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %r2 = shufflevector <8 x i32> %ab, <8 x i32> %cd, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
  %r3 = shufflevector <8 x i32> %ab, <8 x i32> %cd, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  store <4 x i32> %r0, ptr %o, align 4
  %o1 = getelementptr i8, ptr %o, i64 16
  store <4 x i32> %r1, ptr %o1, align 4
  %o2 = getelementptr i8, ptr %o, i64 32
  store <4 x i32> %r2, ptr %o2, align 4
  %o3 = getelementptr i8, ptr %o, i64 48
  store <4 x i32> %r3, ptr %o3, align 4
  ret void
}
define void @tgt(<4 x i32> noundef %a, <4 x i32> noundef %b, <4 x i32> noundef %c, <4 x i32> noundef %d, ptr noalias %o) {
  %p = shufflevector <4 x i32> %a, <4 x i32> %c, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %q = shufflevector <4 x i32> %a, <4 x i32> %c, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %r = shufflevector <4 x i32> %b, <4 x i32> %d, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %s = shufflevector <4 x i32> %b, <4 x i32> %d, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %w = shufflevector <4 x i32> %p, <4 x i32> %r, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %x = shufflevector <4 x i32> %p, <4 x i32> %r, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %y = shufflevector <4 x i32> %q, <4 x i32> %s, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %z = shufflevector <4 x i32> %q, <4 x i32> %s, <4 x i32> <i32 2, i32 6, i32 3, i32 3>
  store <4 x i32> %w, ptr %o, align 4
  %o1 = getelementptr i8, ptr %o, i64 16
  store <4 x i32> %x, ptr %o1, align 4
  %o2 = getelementptr i8, ptr %o, i64 32
  store <4 x i32> %y, ptr %o2, align 4
  %o3 = getelementptr i8, ptr %o, i64 48
  store <4 x i32> %z, ptr %o3, align 4
  ret void
}
