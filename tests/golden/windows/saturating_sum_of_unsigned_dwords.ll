; x86 sapphirerapids 512
declare <16 x i32> @llvm.uadd.sat.v16i32(<16 x i32>, <16 x i32>)
define <16 x i32> @saturating_sum_of_unsigned_dwords(<16 x i32> %x, <16 x i32> %y) {
  %s = call <16 x i32> @llvm.uadd.sat.v16i32(<16 x i32> %x, <16 x i32> %y)
  ret <16 x i32> %s
}
; found %s
; found     price 2.05
; found     %0 = leaf 16x32 a0
; found     %1 = const 16x32 [4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295,4294967295]
; found     %2 = leaf 16x32 a1
; found     %3 = apply 16x32 _mm512_sub_epi32 %1 %2
; found     %4 = apply 16x32 _mm512_min_epu32 %0 %3
; found     %5 = apply 16x32 _mm512_add_epi32 %4 %2
; found     roots 5
