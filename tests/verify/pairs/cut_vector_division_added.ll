; WANT: bad, unknown: may be undefined behaviour
declare <4 x i32> @llvm.vp.udiv.v4i32(<4 x i32>, <4 x i32>, <4 x i1>, i32)
define i32 @src(ptr %p, i64 %i, <4 x i32> %x, <4 x i32> %y) {
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
define i32 @tgt(ptr %p, i64 %i, <4 x i32> %x, <4 x i32> %y) {
  %d = call <4 x i32> @llvm.vp.udiv.v4i32(<4 x i32> %x, <4 x i32> %y, <4 x i1> splat (i1 true), i32 4)
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
