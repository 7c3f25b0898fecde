; WANT: ok
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
define <16 x i8> @src(<16 x i8> %a, <16 x i8> %b, <16 x i8> %m) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %s = add nuw nsw <16 x i16> %x, %y
  %t = add nuw nsw <16 x i16> %s, splat (i16 1)
  %u = lshr <16 x i16> %t, splat (i16 1)
  %v = trunc <16 x i16> %u to <16 x i8>
  %r = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %v, <16 x i8> %m)
  ret <16 x i8> %r
}
define <16 x i8> @tgt(<16 x i8> %a, <16 x i8> %b, <16 x i8> %m) {
  %fa = freeze <16 x i8> %a
  %fb = freeze <16 x i8> %b
  %v = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %fa, <16 x i8> %fb)
  %r = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %v, <16 x i8> %m)
  ret <16 x i8> %r
}
