; x86 icelake-server 256
declare <8 x i32> @llvm.ctpop.v8i32(<8 x i32>)
define <8 x i32> @counted_bits(<8 x i32> %x, <8 x i32> %y) {
  %c = call <8 x i32> @llvm.ctpop.v8i32(<8 x i32> %x)
  %r = add <8 x i32> %c, %y
  ret <8 x i32> %r
}
; found %r
; found     price 0.85
; found     %0 = leaf 8x32 a1
; found     %1 = leaf 8x32 a0
; found     %2 = apply 8x32 _mm256_popcnt_epi32 %1
; found     %3 = apply 8x32 _mm256_add_epi32 %0 %2
; found     roots 3
