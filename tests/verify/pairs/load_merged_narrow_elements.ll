; WANT: ok
define <4 x i32> @src(ptr %p) {
  %v = load <4 x i32>, ptr %p, align 16
  %r = add <4 x i32> %v, splat (i32 1)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(ptr %p) {
  %b = load <16 x i8>, ptr %p, align 16
  %v = bitcast <16 x i8> %b to <4 x i32>
  %r = sub <4 x i32> %v, splat (i32 -1)
  ret <4 x i32> %r
}
