; x86 znver3 256
define <32 x i8> @bytes_shifted_by_three(<32 x i8> %x, <32 x i8> %y) {
  %r = lshr <32 x i8> %x, splat (i8 3)
  %q = xor <32 x i8> %r, %y
  ret <32 x i8> %q
}
; found %q
; found     price 1.07
; found     %0 = leaf 32x8 a1
; found     %1 = leaf 32x8 a0
; found     %2 = const 16x16 [8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192]
; found     %3 = view 16x16 %1
; found     %4 = apply 16x16 _mm256_mulhi_epu16 %2 %3
; found     %5 = const 16x16 [7967,7967,7967,7967,7967,7967,7967,7967,7967,7967,7967,7967,7967,7967,7967,7967]
; found     %6 = view 32x8 %4
; found     %7 = view 32x8 %5
; found     %8 = apply 32x8 vpand_256_8 %6 %7
; found     %9 = apply 32x8 vpxor_256_8 %0 %8
; found     roots 9
