; x86 haswell 256
define <32 x i8> @signed_difference(<32 x i8> %x, <32 x i8> %y) {
  %a = sext <32 x i8> %x to <32 x i16>
  %b = sext <32 x i8> %y to <32 x i16>
  %d = sub <32 x i16> %a, %b
  %n = sub <32 x i16> zeroinitializer, %d
  %m = icmp slt <32 x i16> %d, zeroinitializer
  %s = select <32 x i1> %m, <32 x i16> %n, <32 x i16> %d
  %r = trunc <32 x i16> %s to <32 x i8>
  ret <32 x i8> %r
}
; found %r
; found     price 1.53
; found     %0 = leaf 32x8 a0
; found     %1 = leaf 32x8 a1
; found     %2 = apply 32x8 _mm256_max_epi8 %0 %1
; found     %3 = apply 32x8 _mm256_min_epi8 %0 %1
; found     %4 = apply 32x8 _mm256_sub_epi8 %2 %3
; found     roots 4
