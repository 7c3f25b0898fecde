; x86 sapphirerapids 512
define <32 x i16> @words_of_a_row_1_2_1(<32 x i8> %x, <32 x i8> %y, <32 x i8> %z) {
  %a = zext <32 x i8> %x to <32 x i16>
  %b = zext <32 x i8> %y to <32 x i16>
  %c = zext <32 x i8> %z to <32 x i16>
  %d = shl <32 x i16> %b, splat (i16 1)
  %s = add <32 x i16> %a, %d
  %r = add <32 x i16> %s, %c
  ret <32 x i16> %r
}
; found %r
; found     price 4.60
; found     %0 = leaf 32x8 a2
; found     %1 = apply 32x16 _mm512_cvtepu8_epi16 %0
; found     %2 = leaf 32x8 a0
; found     %3 = undef 32x8
; found     %4 = join 64x8 %2 %3
; found     %5 = const 64x8 [0,64,1,65,2,66,3,67,4,68,5,69,6,70,7,71,8,72,9,73,10,74,11,75,12,76,13,77,14,78,15,79,16,80,17,81,18,82,19,83,20,84,21,85,22,86,23,87,24,88,25,89,26,90,27,91,28,92,29,93,30,94,31,95]
; found     %6 = leaf 32x8 a1
; found     %7 = join 64x8 %6 %3
; found     %8 = apply 64x8 _mm512_permutex2var_epi8 %4 %5 %7
; found     %9 = const 64x8 [1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2]
; found     %10 = apply 32x16 _mm512_maddubs_epi16 %8 %9
; found     %11 = apply 32x16 _mm512_add_epi16 %1 %10
; found     roots 11
