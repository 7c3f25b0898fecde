; x86 haswell 256
define <4 x i64> @bytes_that_are_ten(<32 x i8> %v, <4 x i64> %sum) {
  %c = icmp eq <32 x i8> %v, splat (i8 10)
  %s0 = shufflevector <32 x i1> %c, <32 x i1> poison, <4 x i32> <i32 0, i32 8, i32 16, i32 24>
  %z0 = zext <4 x i1> %s0 to <4 x i64>
  %s1 = shufflevector <32 x i1> %c, <32 x i1> poison, <4 x i32> <i32 1, i32 9, i32 17, i32 25>
  %z1 = zext <4 x i1> %s1 to <4 x i64>
  %s2 = shufflevector <32 x i1> %c, <32 x i1> poison, <4 x i32> <i32 2, i32 10, i32 18, i32 26>
  %z2 = zext <4 x i1> %s2 to <4 x i64>
  %s3 = shufflevector <32 x i1> %c, <32 x i1> poison, <4 x i32> <i32 3, i32 11, i32 19, i32 27>
  %z3 = zext <4 x i1> %s3 to <4 x i64>
  %s4 = shufflevector <32 x i1> %c, <32 x i1> poison, <4 x i32> <i32 4, i32 12, i32 20, i32 28>
  %z4 = zext <4 x i1> %s4 to <4 x i64>
  %s5 = shufflevector <32 x i1> %c, <32 x i1> poison, <4 x i32> <i32 5, i32 13, i32 21, i32 29>
  %z5 = zext <4 x i1> %s5 to <4 x i64>
  %s6 = shufflevector <32 x i1> %c, <32 x i1> poison, <4 x i32> <i32 6, i32 14, i32 22, i32 30>
  %z6 = zext <4 x i1> %s6 to <4 x i64>
  %s7 = shufflevector <32 x i1> %c, <32 x i1> poison, <4 x i32> <i32 7, i32 15, i32 23, i32 31>
  %z7 = zext <4 x i1> %s7 to <4 x i64>
  %t1 = add <4 x i64> %z0, %z1
  %t2 = add <4 x i64> %t1, %z2
  %t3 = add <4 x i64> %t2, %z3
  %t4 = add <4 x i64> %t3, %z4
  %t5 = add <4 x i64> %t4, %z5
  %t6 = add <4 x i64> %t5, %z6
  %t7 = add <4 x i64> %t6, %z7
  %r = add <4 x i64> %t7, %sum
  ret <4 x i64> %r
}
; found %r
; found     price 2.58
; found     %0 = leaf 4x64 a1
; found     %1 = const 32x8 [10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10]
; found     %2 = leaf 32x8 a0
; found     %3 = apply 32x8 _mm256_cmpeq_epi8 %1 %2
; found     %4 = apply 32x8 _mm256_abs_epi8 %3
; found     %5 = const 32x8 [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]
; found     %6 = apply 4x64 vpsadbw_256 %4 %5
; found     %7 = apply 4x64 _mm256_add_epi64 %0 %6
; found     roots 7
