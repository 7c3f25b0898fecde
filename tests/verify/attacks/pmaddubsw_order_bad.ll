; WANT: bad
declare <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8>, <16 x i8>)
define <8 x i16> @src(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %r = call <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8> %x, <16 x i8> %y)
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %r = call <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8> %y, <16 x i8> %x)
  ret <8 x i16> %r
}
