; WANT: ok
define <4 x i32> @src(ptr %p) {
  %v = load <4 x i32>, ptr %p, align 16
  ret <4 x i32> %v
}
define <4 x i32> @tgt(ptr %p) {
  %x = load <2 x i32>, ptr %p, align 16
  %q = getelementptr i8, ptr %p, i64 8
  %y = load <2 x i32>, ptr %q, align 8
  %v = shufflevector <2 x i32> %x, <2 x i32> %y, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  ret <4 x i32> %v
}
