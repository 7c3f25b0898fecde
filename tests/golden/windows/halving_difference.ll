; x86 znver4 256
define <32 x i8> @halving_difference(<32 x i8> %x, <32 x i8> %y) {
  %a = sext <32 x i8> %x to <32 x i16>
  %b = sext <32 x i8> %y to <32 x i16>
  %d = sub <32 x i16> %a, %b
  %h = ashr <32 x i16> %d, splat (i16 1)
  %r = trunc <32 x i16> %h to <32 x i8>
  ret <32 x i8> %r
}
; found %r
; found     price 1.29
; found     %0 = leaf 32x8 a1
; found     %1 = leaf 32x8 a0
; found     %2 = apply 32x8 vpxor_256_8 %0 %1
; found     %3 = apply 32x8 vgf2p8affineqb_ashr_256 %2 k=1
; found     %4 = apply 32x8 vpandn_256_8 %1 %0
; found     %5 = apply 32x8 _mm256_sub_epi8 %3 %4
; found     roots 5
