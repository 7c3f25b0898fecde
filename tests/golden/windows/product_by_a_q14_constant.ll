; x86 sapphirerapids 256
define <16 x i16> @product_by_a_q14_constant(<16 x i16> %x) {
  %a = sext <16 x i16> %x to <16 x i32>
  %p = mul nsw <16 x i32> %a, splat (i32 11585)
  %o = add nsw <16 x i32> %p, splat (i32 8192)
  %h = ashr <16 x i32> %o, splat (i32 14)
  %r = trunc <16 x i32> %h to <16 x i16>
  ret <16 x i16> %r
}
; found %r
; found     price 0.53
; found     %0 = const 16x16 [23170,23170,23170,23170,23170,23170,23170,23170,23170,23170,23170,23170,23170,23170,23170,23170]
; found     %1 = leaf 16x16 a0
; found     %2 = apply 16x16 _mm256_mulhrs_epi16 %0 %1
; found     roots 2
