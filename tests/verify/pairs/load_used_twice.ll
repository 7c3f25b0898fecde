; WANT: bad
define <4 x i32> @src(ptr %p) {
  %v = load <4 x i32>, ptr %p, align 16
  %r = shl <4 x i32> %v, splat (i32 1)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(ptr %p) {
  %v = load <4 x i32>, ptr %p, align 16
  %r = add <4 x i32> %v, %v
  ret <4 x i32> %r
}
