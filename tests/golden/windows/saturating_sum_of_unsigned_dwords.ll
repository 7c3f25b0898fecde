; x86 sapphirerapids 512
declare <16 x i32> @llvm.uadd.sat.v16i32(<16 x i32>, <16 x i32>)
define <16 x i32> @saturating_sum_of_unsigned_dwords(<16 x i32> %x, <16 x i32> %y) {
  %s = call <16 x i32> @llvm.uadd.sat.v16i32(<16 x i32> %x, <16 x i32> %y)
  ret <16 x i32> %s
}
; found %s
; found     price 2.04
; found     %0 = leaf 16x32 a1
; found     %1 = leaf 16x32 a0
; found     %2 = apply 16x32 generic_uadd_sat_32_512 %0 %1
; found     roots 2
