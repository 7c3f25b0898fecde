; x86 sapphirerapids 256
define <16 x i16> @multiply_shift_round_saturate(<16 x i16> %x, <16 x i16> %y) {
  %a = sext <16 x i16> %x to <16 x i32>
  %b = sext <16 x i16> %y to <16 x i32>
  %p = mul nsw <16 x i32> %a, %b
  %o = add nsw <16 x i32> %p, splat (i32 16384)
  %h = ashr <16 x i32> %o, splat (i32 15)
  %m = icmp slt <16 x i32> %h, splat (i32 32767)
  %c = select <16 x i1> %m, <16 x i32> %h, <16 x i32> splat (i32 32767)
  %r = trunc <16 x i32> %c to <16 x i16>
  ret <16 x i16> %r
}
; found %r
; found     price 1.38
; found     %0 = const 16x16 [32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768]
; found     %1 = leaf 16x16 a1
; found     %2 = leaf 16x16 a0
; found     %3 = apply 16x16 _mm256_mulhrs_epi16 %1 %2
; found     %4 = apply 16x16 _mm256_cmpeq_epi16 %0 %3
; found     %5 = apply 16x16 _mm256_add_epi16 %4 %3
; found     roots 5
