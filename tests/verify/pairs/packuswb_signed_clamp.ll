; WANT: ok
declare <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16>, <8 x i16>)
declare <16 x i16> @llvm.smin.v16i16(<16 x i16>, <16 x i16>)
declare <16 x i16> @llvm.smax.v16i16(<16 x i16>, <16 x i16>)
declare <16 x i16> @llvm.umin.v16i16(<16 x i16>, <16 x i16>)
define <16 x i8> @src(<8 x i16> %a, <8 x i16> %b) {
  %s = shufflevector <8 x i16> %a, <8 x i16> %b, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %x = call <16 x i16> @llvm.smin.v16i16(<16 x i16> %s, <16 x i16> splat (i16 255))
  %y = call <16 x i16> @llvm.smax.v16i16(<16 x i16> %x, <16 x i16> splat (i16 0))
  %r = trunc <16 x i16> %y to <16 x i8>
  ret <16 x i8> %r
}
define <16 x i8> @tgt(<8 x i16> %a, <8 x i16> %b) {
  %r = call <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16> %a, <8 x i16> %b)
  ret <16 x i8> %r
}
