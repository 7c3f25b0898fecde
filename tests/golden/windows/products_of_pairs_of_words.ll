; x86 znver3 256
define <8 x i32> @products_of_pairs_of_words(<16 x i16> %x, <16 x i16> %y, <8 x i32> %z) {
  %xe = shufflevector <16 x i16> %x, <16 x i16> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %xo = shufflevector <16 x i16> %x, <16 x i16> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %ye = shufflevector <16 x i16> %y, <16 x i16> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %yo = shufflevector <16 x i16> %y, <16 x i16> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %a = sext <8 x i16> %xe to <8 x i32>
  %b = sext <8 x i16> %xo to <8 x i32>
  %c = sext <8 x i16> %ye to <8 x i32>
  %d = sext <8 x i16> %yo to <8 x i32>
  %p = mul <8 x i32> %a, %c
  %q = mul <8 x i32> %b, %d
  %s = add <8 x i32> %p, %q
  %r = add <8 x i32> %s, %z
  ret <8 x i32> %r
}
; found %r
; found     price 0.77
; found     %0 = leaf 8x32 a2
; found     %1 = leaf 16x16 a1
; found     %2 = leaf 16x16 a0
; found     %3 = apply 8x32 _mm256_madd_epi16 %1 %2
; found     %4 = apply 8x32 _mm256_add_epi32 %0 %3
; found     roots 4
