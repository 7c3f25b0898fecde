; WANT: bad, unknown: a call of 'llvm.vector.partial.reduce.add.v4i32.v8i32'
declare <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32>, <8 x i32>)
define <4 x i32> @src(<4 x i32> noundef %s, <8 x i32> noundef %m) {
  %p = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32> %s, <8 x i32> %m)
  %r = sub <4 x i32> %p, %p
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %s, <8 x i32> noundef %m) {
  %a = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %b = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %d = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %p = add <4 x i32> %a, %b
  %q = add <4 x i32> %c, %d
  %r = sub <4 x i32> %p, %q
  ret <4 x i32> %r
}
