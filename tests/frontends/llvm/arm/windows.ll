; one function for each kind of window: dot products of mixed signs, neighbours weighted, doubled products rounded, pixels of three colours
target triple = "aarch64-unknown-linux-gnu"

define void @mixed(ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %o) {
  %x = load <16 x i8>, ptr %a
  %y = load <16 x i8>, ptr %b
  %z = load <4 x i32>, ptr %c
  %xw = zext <16 x i8> %x to <16 x i32>
  %yw = sext <16 x i8> %y to <16 x i32>
  %p = mul nsw <16 x i32> %yw, %xw
  %p0 = shufflevector <16 x i32> %p, <16 x i32> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
  %p1 = shufflevector <16 x i32> %p, <16 x i32> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %p2 = shufflevector <16 x i32> %p, <16 x i32> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
  %p3 = shufflevector <16 x i32> %p, <16 x i32> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  %s0 = add <4 x i32> %z, %p0
  %s1 = add <4 x i32> %s0, %p1
  %s2 = add <4 x i32> %s1, %p2
  %s3 = add <4 x i32> %s2, %p3
  store <4 x i32> %s3, ptr %o
  ret void
}

define void @weighted(ptr noalias %a, ptr noalias %o) {
  %x = load <8 x i16>, ptr %a
  %e = shufflevector <8 x i16> %x, <8 x i16> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %d = shufflevector <8 x i16> %x, <8 x i16> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %ew = sext <4 x i16> %e to <4 x i32>
  %dw = sext <4 x i16> %d to <4 x i32>
  %t = shl <4 x i32> %dw, splat (i32 1)
  %s = add <4 x i32> %ew, %t
  store <4 x i32> %s, ptr %o
  ret void
}

define void @doubled(ptr noalias %a, ptr noalias %b, ptr noalias %o) {
  %x = load <4 x i32>, ptr %a
  %y = load <4 x i32>, ptr %b
  %xw = sext <4 x i32> %x to <4 x i64>
  %yw = sext <4 x i32> %y to <4 x i64>
  %p = mul nsw <4 x i64> %xw, %yw
  %h = ashr <4 x i64> %p, splat (i64 31)
  %m = call <4 x i64> @llvm.smin.v4i64(<4 x i64> %h, <4 x i64> splat (i64 2147483647))
  %t = trunc <4 x i64> %m to <4 x i32>
  store <4 x i32> %t, ptr %o
  ret void
}

define void @planes(ptr noalias %a, ptr noalias %o) {
  %x = load <48 x i8>, ptr %a
  %p0 = shufflevector <48 x i8> %x, <48 x i8> poison, <16 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21, i32 24, i32 27, i32 30, i32 33, i32 36, i32 39, i32 42, i32 45>
  %w0 = zext <16 x i8> %p0 to <16 x i32>
  %m0 = mul <16 x i32> %w0, splat (i32 77)
  %p1 = shufflevector <48 x i8> %x, <48 x i8> poison, <16 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 16, i32 19, i32 22, i32 25, i32 28, i32 31, i32 34, i32 37, i32 40, i32 43, i32 46>
  %w1 = zext <16 x i8> %p1 to <16 x i32>
  %m1 = mul <16 x i32> %w1, splat (i32 150)
  %p2 = shufflevector <48 x i8> %x, <48 x i8> poison, <16 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 17, i32 20, i32 23, i32 26, i32 29, i32 32, i32 35, i32 38, i32 41, i32 44, i32 47>
  %w2 = zext <16 x i8> %p2 to <16 x i32>
  %m2 = mul <16 x i32> %w2, splat (i32 29)
  %s0 = add <16 x i32> %m0, splat (i32 128)
  %s1 = add <16 x i32> %s0, %m1
  %s2 = add <16 x i32> %s1, %m2
  %h = lshr <16 x i32> %s2, splat (i32 8)
  %t = trunc <16 x i32> %h to <16 x i8>
  store <16 x i8> %t, ptr %o
  ret void
}

declare <4 x i64> @llvm.smin.v4i64(<4 x i64>, <4 x i64>)
