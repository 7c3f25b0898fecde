; x86 znver3 256
define <32 x i8> @three_to_one_rounded_down(<32 x i8> %x, <32 x i8> %y) {
  %xw = zext <32 x i8> %x to <32 x i16>
  %yw = zext <32 x i8> %y to <32 x i16>
  %m0 = mul <32 x i16> %xw, splat (i16 3)
  %s1 = add <32 x i16> %m0, %yw
  %o = add <32 x i16> %s1, splat (i16 1)
  %h = lshr <32 x i16> %o, splat (i16 2)
  %r = trunc <32 x i16> %h to <32 x i8>
  ret <32 x i8> %r
}
; found %r
; found     price 1.82
; found     %0 = leaf 32x8 a1
; found     %1 = leaf 32x8 a0
; found     %2 = apply 32x8 _mm256_avg_epu8 %0 %1
; found     %3 = apply 32x8 _mm256_avg_epu8 %2 %1
; found     %4 = const 32x8 [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]
; found     %5 = apply 32x8 vpxor_256_8 %2 %1
; found     %6 = apply 32x8 vpand_256_8 %4 %5
; found     %7 = apply 32x8 _mm256_sub_epi8 %3 %6
; found     roots 7
