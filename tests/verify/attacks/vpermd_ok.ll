; WANT: ok
declare <8 x i32> @llvm.x86.avx2.permd(<8 x i32>, <8 x i32>)
define <8 x i32> @src(<8 x i32> %x) {
  %s = shufflevector <8 x i32> %x, <8 x i32> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  ret <8 x i32> %s
}
define <8 x i32> @tgt(<8 x i32> %x) {
  %s = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %x, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 8>)
  ret <8 x i32> %s
}
