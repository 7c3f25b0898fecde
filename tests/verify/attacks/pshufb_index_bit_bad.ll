; WANT: bad
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
define <16 x i8> @src(<16 x i8> noundef %x, <16 x i8> noundef %i) {
  %m = and <16 x i8> %i, splat (i8 15)
  %s = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %x, <16 x i8> %m)
  ret <16 x i8> %s
}
define <16 x i8> @tgt(<16 x i8> noundef %x, <16 x i8> noundef %i) {
  %s = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %x, <16 x i8> %i)
  ret <16 x i8> %s
}
