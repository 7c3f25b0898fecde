; WANT: ok
declare <16 x i32> @llvm.x86.avx512.vpdpwssd.512(<16 x i32>, <32 x i16>, <32 x i16>)
define <16 x i32> @src(<32 x i16> noundef %a, <32 x i16> noundef %b, <16 x i32> %c) {
  %x = sext <32 x i16> %a to <32 x i32>
  %y = sext <32 x i16> %b to <32 x i32>
  %m = mul nsw <32 x i32> %x, %y
  %e = shufflevector <32 x i32> %m, <32 x i32> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
  %o = shufflevector <32 x i32> %m, <32 x i32> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
  %s = add <16 x i32> %c, %e
  %r = add <16 x i32> %o, %s
  ret <16 x i32> %r
}
define <16 x i32> @tgt(<32 x i16> noundef %a, <32 x i16> noundef %b, <16 x i32> %c) {
  %r = call <16 x i32> @llvm.x86.avx512.vpdpwssd.512(<16 x i32> %c, <32 x i16> %b, <32 x i16> %a)
  ret <16 x i32> %r
}
