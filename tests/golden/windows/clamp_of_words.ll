; x86 znver4 256
define <16 x i8> @clamp_of_words(<16 x i16> %x) {
  %m = icmp sgt <16 x i16> %x, splat (i16 -128)
  %a = select <16 x i1> %m, <16 x i16> %x, <16 x i16> splat (i16 -128)
  %n = icmp slt <16 x i16> %a, splat (i16 127)
  %b = select <16 x i1> %n, <16 x i16> %a, <16 x i16> splat (i16 127)
  %r = trunc <16 x i16> %b to <16 x i8>
  ret <16 x i8> %r
}
; found %r
; found     price 0.51
; found     %0 = leaf 16x16 a0
; found     %1 = apply 16x8 _mm256_cvtsepi16_epi8 %0
; found     roots 1
