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
; found     price 3.37
; found     %0 = leaf 32x8 a3
; found     %1 = leaf 32x8 a2
; found     %2 = apply 32x8 _mm256_avg_epu8 %0 %1
; found     %3 = leaf 32x8 a1
; found     %4 = leaf 32x8 a0
; found     %5 = apply 32x8 _mm256_avg_epu8 %3 %4
; found     %6 = apply 32x8 _mm256_avg_epu8 %2 %5
; found     %7 = const 32x8 [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]
; found     %8 = apply 32x8 vpxor_256_8 %0 %1
; found     %9 = apply 32x8 vpxor_256_8 %3 %4
; found     %10 = apply 32x8 vpor_256_8 %8 %9
; found     %11 = apply 32x8 vpxor_256_8 %2 %5
; found     %12 = apply 32x8 vpand_256_8 %10 %11
; found     %13 = apply 32x8 vpand_256_8 %7 %12
; found     %14 = apply 32x8 _mm256_sub_epi8 %6 %13
; found     roots 14
