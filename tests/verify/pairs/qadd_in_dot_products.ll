; WANT: ok
declare <16 x i32> @llvm.x86.avx512.vpdpwssd.512(<16 x i32>, <32 x i16>, <32 x i16>)
define <16 x i32> @src(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i32>
  %s = sub <16 x i32> %x, splat (i32 13)
  %p = mul <16 x i32> %s, splat (i32 12345)
  %y = zext <16 x i8> %b to <16 x i32>
  %t = sub <16 x i32> %y, splat (i32 200)
  %q = mul <16 x i32> %t, splat (i32 -9876)
  %u = add <16 x i32> %p, %q
  %v = add <16 x i32> %u, splat (i32 2048)
  %w = ashr <16 x i32> %v, splat (i32 12)
  ret <16 x i32> %w
}
define <16 x i32> @tgt(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %i = shufflevector <16 x i16> %x, <16 x i16> %y, <32 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23, i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  %r = call <16 x i32> @llvm.x86.avx512.vpdpwssd.512(<16 x i32> splat (i32 1816763), <32 x i16> %i, <32 x i16> <i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876, i16 12345, i16 -9876>)
  %w = ashr <16 x i32> %r, splat (i32 12)
  ret <16 x i32> %w
}
