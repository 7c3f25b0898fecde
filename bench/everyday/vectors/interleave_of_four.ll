; arm neoverse-v1 -sve,-sve2: four planes of 16 bytes as 16 pixels, which are stored by registers
target triple = "aarch64-linux-gnu"

define void @src(ptr noalias %pa, ptr noalias %pb, ptr noalias %pc, ptr noalias %pd, ptr noalias %o) {
  %a = load <16 x i8>, ptr %pa, align 1, !noundef !0
  %b = load <16 x i8>, ptr %pb, align 1, !noundef !0
  %c = load <16 x i8>, ptr %pc, align 1, !noundef !0
  %d = load <16 x i8>, ptr %pd, align 1, !noundef !0
  %ab = shufflevector <16 x i8> %a, <16 x i8> %b, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %cd = shufflevector <16 x i8> %c, <16 x i8> %d, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %r0 = shufflevector <32 x i8> %ab, <32 x i8> %cd, <16 x i32> <i32 0, i32 16, i32 32, i32 48, i32 1, i32 17, i32 33, i32 49, i32 2, i32 18, i32 34, i32 50, i32 3, i32 19, i32 35, i32 51>
  %r1 = shufflevector <32 x i8> %ab, <32 x i8> %cd, <16 x i32> <i32 4, i32 20, i32 36, i32 52, i32 5, i32 21, i32 37, i32 53, i32 6, i32 22, i32 38, i32 54, i32 7, i32 23, i32 39, i32 55>
  %r2 = shufflevector <32 x i8> %ab, <32 x i8> %cd, <16 x i32> <i32 8, i32 24, i32 40, i32 56, i32 9, i32 25, i32 41, i32 57, i32 10, i32 26, i32 42, i32 58, i32 11, i32 27, i32 43, i32 59>
  %r3 = shufflevector <32 x i8> %ab, <32 x i8> %cd, <16 x i32> <i32 12, i32 28, i32 44, i32 60, i32 13, i32 29, i32 45, i32 61, i32 14, i32 30, i32 46, i32 62, i32 15, i32 31, i32 47, i32 63>
  store <16 x i8> %r0, ptr %o, align 1
  %o1 = getelementptr i8, ptr %o, i64 16
  store <16 x i8> %r1, ptr %o1, align 1
  %o2 = getelementptr i8, ptr %o, i64 32
  store <16 x i8> %r2, ptr %o2, align 1
  %o3 = getelementptr i8, ptr %o, i64 48
  store <16 x i8> %r3, ptr %o3, align 1
  ret void
}

define void @tgt(ptr noalias %pa, ptr noalias %pb, ptr noalias %pc, ptr noalias %pd, ptr noalias %o) {
  %a = load <16 x i8>, ptr %pa, align 1, !noundef !0
  %b = load <16 x i8>, ptr %pb, align 1, !noundef !0
  %c = load <16 x i8>, ptr %pc, align 1, !noundef !0
  %d = load <16 x i8>, ptr %pd, align 1, !noundef !0
  %ac = shufflevector <16 x i8> %a, <16 x i8> %c, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
  %bd = shufflevector <16 x i8> %b, <16 x i8> %d, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
  %ac1 = shufflevector <16 x i8> %a, <16 x i8> %c, <16 x i32> <i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  %bd1 = shufflevector <16 x i8> %b, <16 x i8> %d, <16 x i32> <i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  %r0 = shufflevector <16 x i8> %ac, <16 x i8> %bd, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
  %r1 = shufflevector <16 x i8> %ac, <16 x i8> %bd, <16 x i32> <i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  %r2 = shufflevector <16 x i8> %ac1, <16 x i8> %bd1, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
  %r3 = shufflevector <16 x i8> %ac1, <16 x i8> %bd1, <16 x i32> <i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  store <16 x i8> %r0, ptr %o, align 1
  %o1 = getelementptr i8, ptr %o, i64 16
  store <16 x i8> %r1, ptr %o1, align 1
  %o2 = getelementptr i8, ptr %o, i64 32
  store <16 x i8> %r2, ptr %o2, align 1
  %o3 = getelementptr i8, ptr %o, i64 48
  store <16 x i8> %r3, ptr %o3, align 1
  ret void
}

!0 = !{}
