; x86 znver3 256
define <16 x i16> @rounded_product_q15(<16 x i16> %x, <16 x i16> %y) {
  %a = sext <16 x i16> %x to <16 x i32>
  %b = sext <16 x i16> %y to <16 x i32>
  %p = mul nsw <16 x i32> %a, %b
  %o = add nsw <16 x i32> %p, splat (i32 16384)
  %h = ashr <16 x i32> %o, splat (i32 15)
  %r = trunc <16 x i32> %h to <16 x i16>
  ret <16 x i16> %r
}
; found %r
; found     price 0.51
; found     %0 = leaf 16x16 a1
; found     %1 = leaf 16x16 a0
; found     %2 = apply 16x16 _mm256_mulhrs_epi16 %0 %1
; found     roots 2
