; WANT: ok
declare <4 x i32> @llvm.x86.avx2.psrlv.d(<4 x i32>, <4 x i32>)
define <4 x i32> @src(<4 x i32> %a, <4 x i32> %b) {
  %r = lshr <4 x i32> %a, %b
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a, <4 x i32> %b) {
  %r = call <4 x i32> @llvm.x86.avx2.psrlv.d(<4 x i32> %a, <4 x i32> %b)
  ret <4 x i32> %r
}
