; WANT: bad
declare <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)
define <2 x i64> @src(<16 x i8> %a) {
  %x = extractelement <16 x i8> %a, i32 0
  %z = zext i8 %x to i64
  %r = insertelement <2 x i64> zeroinitializer, i64 %z, i64 0
  ret <2 x i64> %r
}
define <2 x i64> @tgt(<16 x i8> %a) {
  %m = and <16 x i8> %a, <i8 -1, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0>
  %r = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %m, <16 x i8> zeroinitializer)
  ret <2 x i64> %r
}
