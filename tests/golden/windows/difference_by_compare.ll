; x86 znver4 512
define <64 x i8> @difference_by_compare(<64 x i8> %x, <64 x i8> %y) {
  %m = icmp ugt <64 x i8> %x, %y
  %a = sub <64 x i8> %x, %y
  %b = sub <64 x i8> %y, %x
  %r = select <64 x i1> %m, <64 x i8> %a, <64 x i8> %b
  ret <64 x i8> %r
}
; found %r
; found     price 1.53
; found     %0 = leaf 64x8 a1
; found     %1 = leaf 64x8 a0
; found     %2 = apply 64x8 _mm512_max_epu8 %0 %1
; found     %3 = apply 64x8 _mm512_min_epu8 %0 %1
; found     %4 = apply 64x8 _mm512_sub_epi8 %2 %3
; found     roots 4
