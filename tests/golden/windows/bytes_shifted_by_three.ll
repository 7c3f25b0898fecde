; x86 znver3 256
define <32 x i8> @bytes_shifted_by_three(<32 x i8> %x, <32 x i8> %y) {
  %r = lshr <32 x i8> %x, splat (i8 3)
  %q = xor <32 x i8> %r, %y
  ret <32 x i8> %q
}
; found %q
; found     price 1.28
; found     %0 = leaf 32x8 a1
; found     %1 = leaf 32x8 a0
; found     %2 = apply 32x8 generic_lshr_8_256 %1 k=3
; found     %3 = apply 32x8 vpxor_256_8 %0 %2
; found     roots 3
