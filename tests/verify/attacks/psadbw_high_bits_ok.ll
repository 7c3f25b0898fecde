; WANT: ok
declare <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)
define <2 x i64> @src(<16 x i8> %x, <16 x i8> %y) {
  %r = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %x, <16 x i8> %y)
  %s = and <2 x i64> %r, splat (i64 65535)
  ret <2 x i64> %s
}
define <2 x i64> @tgt(<16 x i8> %x, <16 x i8> %y) {
  %r = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %x, <16 x i8> %y)
  ret <2 x i64> %r
}
