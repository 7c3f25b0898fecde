; WANT: bad
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
define <16 x i8> @src(<16 x i8> noundef %a) {
  %r = shufflevector <16 x i8> %a, <16 x i8> poison, <16 x i32> zeroinitializer
  ret <16 x i8> %r
}
define <16 x i8> @tgt(<16 x i8> noundef %a) {
  %r = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %a, <16 x i8> <i8 poison, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0>)
  ret <16 x i8> %r
}
