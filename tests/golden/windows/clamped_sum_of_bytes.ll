; x86 skylake-avx512 512
define <64 x i8> @clamped_sum_of_bytes(<64 x i8> %x, <64 x i8> %y) {
  %a = zext <64 x i8> %x to <64 x i16>
  %b = zext <64 x i8> %y to <64 x i16>
  %s = add <64 x i16> %a, %b
  %m = icmp ult <64 x i16> %s, splat (i16 255)
  %c = select <64 x i1> %m, <64 x i16> %s, <64 x i16> splat (i16 255)
  %r = trunc <64 x i16> %c to <64 x i8>
  ret <64 x i8> %r
}
; found %r
; found     price 1.01
; found     %0 = leaf 64x8 a1
; found     %1 = leaf 64x8 a0
; found     %2 = apply 64x8 _mm512_adds_epu8 %0 %1
; found     roots 2
