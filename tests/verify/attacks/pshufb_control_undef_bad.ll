; WANT: bad
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
define <16 x i8> @src(<16 x i8> noundef %x) {
  %s = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %x, <16 x i8> <i8 undef, i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7, i8 8, i8 9, i8 10, i8 11, i8 12, i8 13, i8 14, i8 15>)
  ret <16 x i8> %s
}
define <16 x i8> @tgt(<16 x i8> noundef %x) {
  %s = insertelement <16 x i8> %x, i8 undef, i32 0
  ret <16 x i8> %s
}
