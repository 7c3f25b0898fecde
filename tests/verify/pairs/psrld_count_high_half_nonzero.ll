; WANT: bad
declare <4 x i32> @llvm.x86.sse2.psrl.d(<4 x i32>, <4 x i32>)
define <4 x i32> @src(<4 x i32> noundef %a, i32 noundef %n) {
  %i = insertelement <4 x i32> poison, i32 %n, i32 0
  %s = shufflevector <4 x i32> %i, <4 x i32> poison, <4 x i32> zeroinitializer
  %r = lshr <4 x i32> %a, %s
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a, i32 noundef %n) {
  %i = insertelement <4 x i32> poison, i32 %n, i32 0
  %s = shufflevector <4 x i32> %i, <4 x i32> poison, <4 x i32> zeroinitializer
  %r = call <4 x i32> @llvm.x86.sse2.psrl.d(<4 x i32> %a, <4 x i32> %s)
  ret <4 x i32> %r
}
