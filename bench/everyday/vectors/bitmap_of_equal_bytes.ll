; arm neoverse-v1 -sve,-sve2: 64 bytes that are as one another, as bits of a word
target triple = "aarch64-linux-gnu"

define void @src(ptr noalias %a, ptr noalias %b, ptr noalias %o) {
  %x = load <64 x i8>, ptr %a, align 1, !noundef !0
  %y = load <64 x i8>, ptr %b, align 1, !noundef !0
  %c = icmp eq <64 x i8> %x, %y
  %r = bitcast <64 x i1> %c to i64
  store i64 %r, ptr %o, align 8
  ret void
}

define void @tgt(ptr noalias %a, ptr noalias %b, ptr noalias %o) {
  %x = load <64 x i8>, ptr %a, align 1, !noundef !0
  %y = load <64 x i8>, ptr %b, align 1, !noundef !0
  %c = icmp eq <64 x i8> %x, %y
  %m = sext <64 x i1> %c to <64 x i8>
  %m0 = shufflevector <64 x i8> %m, <64 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %b0 = and <16 x i8> %m0, <i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128, i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128>
  %m1 = shufflevector <64 x i8> %m, <64 x i8> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %b1 = and <16 x i8> %m1, <i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128, i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128>
  %m2 = shufflevector <64 x i8> %m, <64 x i8> poison, <16 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
  %b2 = and <16 x i8> %m2, <i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128, i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128>
  %m3 = shufflevector <64 x i8> %m, <64 x i8> poison, <16 x i32> <i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %b3 = and <16 x i8> %m3, <i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128, i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128>
  %p = call <16 x i8> @llvm.aarch64.neon.addp.v16i8(<16 x i8> %b0, <16 x i8> %b1)
  %q = call <16 x i8> @llvm.aarch64.neon.addp.v16i8(<16 x i8> %b2, <16 x i8> %b3)
  %s = call <16 x i8> @llvm.aarch64.neon.addp.v16i8(<16 x i8> %p, <16 x i8> %q)
  %t = call <16 x i8> @llvm.aarch64.neon.addp.v16i8(<16 x i8> %s, <16 x i8> %s)
  %w = bitcast <16 x i8> %t to <2 x i64>
  %r = extractelement <2 x i64> %w, i64 0
  store i64 %r, ptr %o, align 8
  ret void
}

declare <16 x i8> @llvm.aarch64.neon.addp.v16i8(<16 x i8>, <16 x i8>)

!0 = !{}
