; WANT: bad
declare <4 x i32> @llvm.x86.sse2.psll.d(<4 x i32>, <4 x i32>)
define <4 x i32> @src(<4 x i32> noundef %x, i32 noundef range(i32 0, 32) %n) {
  %i = insertelement <4 x i32> poison, i32 %n, i32 0
  %s = shufflevector <4 x i32> %i, <4 x i32> poison, <4 x i32> zeroinitializer
  %r = shl <4 x i32> %x, %s
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %x, i32 noundef range(i32 0, 32) %n) {
  %i = insertelement <4 x i32> poison, i32 %n, i32 0
  %r = call <4 x i32> @llvm.x86.sse2.psll.d(<4 x i32> %x, <4 x i32> %i)
  ret <4 x i32> %r
}
