; WANT: ok
declare <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)
define <2 x i64> @src(<16 x i8> %x, <16 x i8> %y) {
  %r = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %x, <16 x i8> %y)
  ret <2 x i64> %r
}
define <2 x i64> @tgt(<16 x i8> %x, <16 x i8> %y) {
  %r = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %y, <16 x i8> %x)
  ret <2 x i64> %r
}
