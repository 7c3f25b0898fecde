; x86 znver3 256
define <32 x i8> @one_two_one_rounded(<32 x i8> %x, <32 x i8> %y, <32 x i8> %z) {
  %xw = zext <32 x i8> %x to <32 x i16>
  %yw = zext <32 x i8> %y to <32 x i16>
  %zw = zext <32 x i8> %z to <32 x i16>
  %m1 = mul <32 x i16> %yw, splat (i16 2)
  %s1 = add <32 x i16> %xw, %m1
  %s2 = add <32 x i16> %s1, %zw
  %o = add <32 x i16> %s2, splat (i16 2)
  %h = lshr <32 x i16> %o, splat (i16 2)
  %r = trunc <32 x i16> %h to <32 x i8>
  ret <32 x i8> %r
}
; found %r
; found     price 1.54
; found     %0 = leaf 32x8 a1
; found     %1 = leaf 32x8 a0
; found     %2 = leaf 32x8 a2
; found     %3 = apply 32x8 _mm256_add_epi8 %1 %2
; found     %4 = apply 32x8 _mm256_avg_epu8 %1 %2
; found     %5 = apply 32x8 _mm256_sub_epi8 %3 %4
; found     %6 = apply 32x8 _mm256_avg_epu8 %0 %5
; found     roots 6
