; x86 haswell 256
define <16 x i16> @high_half_unsigned(<16 x i16> %x, <16 x i16> %y) {
  %a = zext <16 x i16> %x to <16 x i32>
  %b = zext <16 x i16> %y to <16 x i32>
  %p = mul nuw <16 x i32> %a, %b
  %h = lshr <16 x i32> %p, splat (i32 16)
  %r = trunc <16 x i32> %h to <16 x i16>
  ret <16 x i16> %r
}
; found %r
; found     price 1.01
; found     %0 = leaf 16x16 a1
; found     %1 = leaf 16x16 a0
; found     %2 = apply 16x16 _mm256_mulhi_epu16 %0 %1
; found     roots 2
