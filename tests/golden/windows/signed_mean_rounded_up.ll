; x86 haswell 256
define <16 x i16> @mean_up(<16 x i16> %a, <16 x i16> %b) {
  %x = xor <16 x i16> %a, %b
  %n = and <16 x i16> %a, %b
  %h = ashr <16 x i16> %x, splat (i16 1)
  %t = add <16 x i16> %h, %n
  %o = and <16 x i16> %x, splat (i16 1)
  %r = add <16 x i16> %t, %o
  ret <16 x i16> %r
}
; found %r
; found     price 2.06
; found     %0 = const 16x16 [32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768,32768]
; found     %1 = leaf 16x16 a0
; found     %2 = apply 16x16 _mm256_add_epi16 %0 %1
; found     %3 = leaf 16x16 a1
; found     %4 = apply 16x16 _mm256_add_epi16 %0 %3
; found     %5 = apply 16x16 _mm256_avg_epu16 %2 %4
; found     %6 = apply 16x16 _mm256_add_epi16 %0 %5
; found     roots 6
