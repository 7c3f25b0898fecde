; WANT: bad
declare <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16>, <8 x i16>)
define <4 x i32> @src(<8 x i16> noundef %a, <8 x i16> noundef %b) {
  %r = call <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16> %a, <8 x i16> %b)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<8 x i16> noundef %a, <8 x i16> noundef %b) {
  %x = sext <8 x i16> %a to <8 x i32>
  %y = sext <8 x i16> %b to <8 x i32>
  %m = mul nsw <8 x i32> %x, %y
  %e = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %o = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %r = add nsw <4 x i32> %e, %o
  ret <4 x i32> %r
}
