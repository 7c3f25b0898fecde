; x86 znver4 512
define <64 x i8> @average_by_widening(<64 x i8> %x, <64 x i8> %y) {
  %a = zext <64 x i8> %x to <64 x i16>
  %b = zext <64 x i8> %y to <64 x i16>
  %s = add <64 x i16> %a, %b
  %o = add <64 x i16> %s, splat (i16 1)
  %h = lshr <64 x i16> %o, splat (i16 1)
  %r = trunc <64 x i16> %h to <64 x i8>
  ret <64 x i8> %r
}
; found %r
; found     price 0.51
; found     %0 = leaf 64x8 a1
; found     %1 = leaf 64x8 a0
; found     %2 = apply 64x8 _mm512_avg_epu8 %0 %1
; found     roots 2
