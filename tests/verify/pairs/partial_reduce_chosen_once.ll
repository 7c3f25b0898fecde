; WANT: ok
declare <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32>, <8 x i32>)
define <4 x i32> @src(<4 x i32> noundef %s, <8 x i32> noundef %m) {
  %p = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32> %s, <8 x i32> %m)
  %r = sub <4 x i32> %p, %p
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %s, <8 x i32> noundef %m) {
  ret <4 x i32> zeroinitializer
}
