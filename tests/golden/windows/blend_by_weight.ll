; x86 znver4 256
define <16 x i8> @blend_by_weight(<16 x i8> %x, <16 x i8> %y, <16 x i8> %k) {
  %a = zext <16 x i8> %x to <16 x i16>
  %b = zext <16 x i8> %y to <16 x i16>
  %w = zext <16 x i8> %k to <16 x i16>
  %i = sub <16 x i16> splat (i16 255), %w
  %p = mul <16 x i16> %a, %w
  %q = mul <16 x i16> %b, %i
  %s = add <16 x i16> %p, %q
  %o = add <16 x i16> %s, splat (i16 128)
  %h = lshr <16 x i16> %o, splat (i16 8)
  %r = trunc <16 x i16> %h to <16 x i8>
  ret <16 x i8> %r
}
; found %r
; found     price 4.39
; found     %0 = const 16x16 [128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128]
; found     %1 = leaf 16x8 a1
; found     %2 = apply 16x16 _mm256_cvtepu8_epi16 %1
; found     %3 = const 16x16 [255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255]
; found     %4 = leaf 16x8 a2
; found     %5 = apply 16x16 _mm256_cvtepu8_epi16 %4
; found     %6 = apply 16x16 _mm256_sub_epi16 %3 %5
; found     %7 = apply 16x16 _mm256_mullo_epi16 %2 %6
; found     %8 = leaf 16x8 a0
; found     %9 = apply 16x16 _mm256_cvtepu8_epi16 %8
; found     %10 = apply 16x16 _mm256_mullo_epi16 %5 %9
; found     %11 = apply 16x16 _mm256_add_epi16 %7 %10
; found     %12 = apply 16x16 _mm256_add_epi16 %0 %11
; found     %13 = apply 16x16 _mm256_srli_epi16 %12 imm8=8
; found     %14 = apply 16x8 _mm256_cvtepi16_epi8 %13
; found     roots 14
