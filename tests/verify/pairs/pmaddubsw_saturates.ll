; WANT: ok
declare <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8>, <16 x i8>)
declare <8 x i16> @llvm.sadd.sat.v8i16(<8 x i16>, <8 x i16>)
define <8 x i16> @src(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = sext <16 x i8> %b to <16 x i16>
  %m = mul <16 x i16> %x, %y
  %e = shufflevector <16 x i16> %m, <16 x i16> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %o = shufflevector <16 x i16> %m, <16 x i16> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %r = call <8 x i16> @llvm.sadd.sat.v8i16(<8 x i16> %e, <8 x i16> %o)
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %r = call <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8> %a, <16 x i8> %b)
  ret <8 x i16> %r
}
