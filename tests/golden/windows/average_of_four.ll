; x86 znver3 256
define <32 x i8> @average_of_four(<32 x i8> %x, <32 x i8> %y, <32 x i8> %z, <32 x i8> %u) {
  %a = zext <32 x i8> %x to <32 x i16>
  %b = zext <32 x i8> %y to <32 x i16>
  %c = zext <32 x i8> %z to <32 x i16>
  %d = zext <32 x i8> %u to <32 x i16>
  %s = add <32 x i16> %a, %b
  %t = add <32 x i16> %c, %d
  %v = add <32 x i16> %s, %t
  %o = add <32 x i16> %v, splat (i16 2)
  %h = lshr <32 x i16> %o, splat (i16 2)
  %r = trunc <32 x i16> %h to <32 x i8>
  ret <32 x i8> %r
}
; found %r
; found     price 6.69
; found     %0 = const 16x16 [2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]
; found     %1 = leaf 32x8 a2
; found     %2 = leaf 32x8 a3
; found     %3 = apply 32x8 _mm256_unpacklo_epi8 %1 %2
; found     %4 = const 32x8 [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]
; found     %5 = apply 16x16 _mm256_maddubs_epi16 %3 %4
; found     %6 = apply 16x16 _mm256_add_epi16 %0 %5
; found     %7 = leaf 32x8 a0
; found     %8 = leaf 32x8 a1
; found     %9 = apply 32x8 _mm256_unpacklo_epi8 %7 %8
; found     %10 = apply 16x16 _mm256_maddubs_epi16 %9 %4
; found     %11 = apply 16x16 _mm256_add_epi16 %6 %10
; found     %12 = apply 16x16 _mm256_srai_epi16 %11 imm8=2
; found     %13 = apply 32x8 _mm256_unpackhi_epi8 %1 %2
; found     %14 = apply 16x16 _mm256_maddubs_epi16 %13 %4
; found     %15 = apply 16x16 _mm256_add_epi16 %0 %14
; found     %16 = apply 32x8 _mm256_unpackhi_epi8 %7 %8
; found     %17 = apply 16x16 _mm256_maddubs_epi16 %16 %4
; found     %18 = apply 16x16 _mm256_add_epi16 %15 %17
; found     %19 = apply 16x16 _mm256_srai_epi16 %18 imm8=2
; found     %20 = apply 32x8 _mm256_packus_epi16 %12 %19
; found     roots 20
