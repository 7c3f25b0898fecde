; x86 znver4 512
target triple = "x86_64-pc-linux-gnu"

declare <32 x i64> @llvm.smax.v32i64(<32 x i64>, <32 x i64>)
declare <32 x i64> @llvm.smin.v32i64(<32 x i64>, <32 x i64>)
define void @f(ptr noalias %p0, ptr noalias %p1, ptr noalias %p2, ptr noalias %p3, ptr noalias %out) #0 {
  %x0 = load <32 x i8>, ptr %p0, align 1
  %x1 = load <32 x i8>, ptr %p1, align 1
  %x2 = load <32 x i8>, ptr %p2, align 1
  %x3 = load <32 x i8>, ptr %p3, align 1
  %t0 = zext <32 x i8> %x0 to <32 x i64>
  %t1 = zext <32 x i8> %x1 to <32 x i64>
  %t2 = zext <32 x i8> %x2 to <32 x i64>
  %t3 = zext <32 x i8> %x3 to <32 x i64>
  %t4 = call <32 x i64> @llvm.smax.v32i64(<32 x i64> %t0, <32 x i64> splat (i64 16))
  %t5 = call <32 x i64> @llvm.smin.v32i64(<32 x i64> %t4, <32 x i64> splat (i64 235))
  %t6 = icmp sgt <32 x i64> %t5, %t1
  %t7 = sub <32 x i64> %t5, %t1
  %t8 = select <32 x i1> %t6, <32 x i64> %t7, <32 x i64> splat (i64 0)
  %t9 = add <32 x i64> %t8, splat (i64 23)
  %t10 = call <32 x i64> @llvm.smax.v32i64(<32 x i64> %t9, <32 x i64> splat (i64 0))
  %t11 = call <32 x i64> @llvm.smin.v32i64(<32 x i64> %t10, <32 x i64> splat (i64 255))
  %t12 = mul <32 x i64> %t2, splat (i64 2)
  %t13 = add <32 x i64> %t11, %t12
  %t14 = add <32 x i64> %t13, %t3
  %t15 = add <32 x i64> %t14, splat (i64 2)
  %t16 = ashr <32 x i64> %t15, splat (i64 2)
  %r = trunc <32 x i64> %t16 to <32 x i8>
  store <32 x i8> %r, ptr %out, align 1
  ret void
}
attributes #0 = { "target-cpu"="znver4" }

; found %r
; found     price 7.74
; found     %0 = leaf 32x8 a0
; found     %1 = leaf 32x8 a1
; found     %2 = leaf 32x8 a2
; found     %3 = leaf 32x8 a3
; found     %4 = const 32x16 [2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]
; found     %5 = const 32x8 [23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23,23]
; found     %6 = const 32x8 [16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16]
; found     %7 = apply 32x8 _mm256_max_epu8 %0 %6
; found     %8 = const 32x8 [235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235,235]
; found     %9 = apply 32x8 _mm256_min_epu8 %7 %8
; found     %10 = apply 32x8 _mm256_subs_epu8 %9 %1
; found     %11 = apply 32x8 _mm256_adds_epu8 %5 %10
; found     %12 = apply 32x16 _mm512_cvtepu8_epi16 %11
; found     %13 = apply 32x16 _mm512_add_epi16 %4 %12
; found     %14 = undef 32x8
; found     %15 = join 64x8 %2 %14
; found     %16 = const 64x8 [0,64,1,65,2,66,3,67,4,68,5,69,6,70,7,71,8,72,9,73,10,74,11,75,12,76,13,77,14,78,15,79,16,80,17,81,18,82,19,83,20,84,21,85,22,86,23,87,24,88,25,89,26,90,27,91,28,92,29,93,30,94,31,95]
; found     %17 = join 64x8 %3 %14
; found     %18 = apply 64x8 _mm512_permutex2var_epi8 %15 %16 %17
; found     %19 = const 64x8 [2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1]
; found     %20 = apply 32x16 _mm512_maddubs_epi16 %18 %19
; found     %21 = apply 32x16 _mm512_add_epi16 %13 %20
; found     %22 = apply 32x16 _mm512_srai_epi16 %21 imm8=2
; found     %23 = apply 32x8 _mm512_cvtepi16_epi8 %22
; found     roots 23
