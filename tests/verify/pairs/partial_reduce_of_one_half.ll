; WANT: bad, unknown: a call of 'llvm.vector.partial.reduce.add.v4i32.v8i32'
declare <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32>, <8 x i32>)
define <4 x i32> @src(<4 x i32> noundef %s, <8 x i16> noundef %a, <8 x i16> noundef %b) {
  %x = sext <8 x i16> %a to <8 x i32>
  %y = sext <8 x i16> %b to <8 x i32>
  %m = mul nsw <8 x i32> %x, %y
  %r = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32> %s, <8 x i32> %m)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %s, <8 x i16> noundef %a, <8 x i16> noundef %b) {
  %x = sext <8 x i16> %a to <8 x i32>
  %y = sext <8 x i16> %b to <8 x i32>
  %m = mul <8 x i32> %x, %y
  %p = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %q = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %t = add <4 x i32> %q, %p
  %r = add <4 x i32> %s, %t
  ret <4 x i32> %r
}
