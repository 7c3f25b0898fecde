; x86 znver4 256
define <32 x i8> @sevenths_of_bytes(<32 x i8> %x) {
  %r = udiv <32 x i8> %x, splat (i8 7)
  ret <32 x i8> %r
}
; found %r
; found     price 3.55
; found     %0 = leaf 32x8 a0
; found     %1 = const 32x8 [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]
; found     %2 = apply 32x8 _mm256_unpacklo_epi8 %1 %0
; found     %3 = view 16x16 %2
; found     %4 = const 16x16 [37,37,37,37,37,37,37,37,37,37,37,37,37,37,37,37]
; found     %5 = apply 16x16 _mm256_mulhi_epu16 %3 %4
; found     %6 = apply 32x8 _mm256_unpackhi_epi8 %1 %0
; found     %7 = view 16x16 %6
; found     %8 = apply 16x16 _mm256_mulhi_epu16 %7 %4
; found     %9 = apply 32x8 _mm256_packs_epi16 %5 %8
; found     %10 = const 32x8 [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]
; found     %11 = apply 32x8 _mm256_subs_epu8 %0 %10
; found     %12 = apply 32x8 _mm256_avg_epu8 %9 %11
; found     %13 = apply 32x8 vgf2p8affineqb_lshr_256 %12 k=2
; found     roots 13
