; x86 haswell 256
define <16 x i16> @greater_of_products_shifted(<16 x i16> %x, <16 x i16> %y) {
  %p = mul <16 x i16> %x, splat (i16 3)
  %q = shl <16 x i16> %y, splat (i16 2)
  %m = icmp sgt <16 x i16> %p, %q
  %r = select <16 x i1> %m, <16 x i16> %p, <16 x i16> %q
  ret <16 x i16> %r
}
; found %r
; found     price 2.54
; found     %0 = leaf 16x16 a0
; found     %1 = apply 16x16 _mm256_add_epi16 %0 %0
; found     %2 = apply 16x16 _mm256_add_epi16 %0 %1
; found     %3 = leaf 16x16 a1
; found     %4 = apply 16x16 _mm256_slli_epi16 %3 imm8=2
; found     %5 = apply 16x16 _mm256_max_epi16 %2 %4
; found     roots 5
