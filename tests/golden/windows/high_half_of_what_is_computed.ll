; arm neoverse-v1 128
define <8 x i16> @high_half_of_what_is_computed(<8 x i16> %a, <8 x i16> %b, <8 x i16> %c, <8 x i16> %d, <8 x i16> %e, <8 x i16> %f) {
  %least = call <8 x i16> @llvm.umin.v8i16(<8 x i16> %a, <8 x i16> %b)
  %wide = zext <8 x i16> %least to <8 x i32>
  %from = add nsw <8 x i32> %wide, splat (i32 -23)
  %away = call <8 x i32> @llvm.abs.v8i32(<8 x i32> %from, i1 true)
  %x = trunc <8 x i32> %away to <8 x i16>
  %sum = call <8 x i16> @llvm.uadd.sat.v8i16(<8 x i16> %c, <8 x i16> %d)
  %y = call <8 x i16> @llvm.umax.v8i16(<8 x i16> %e, <8 x i16> %sum)
  %z = call <8 x i16> @llvm.usub.sat.v8i16(<8 x i16> %x, <8 x i16> %y)
  %m = zext <8 x i16> %z to <8 x i32>
  %g = zext <8 x i16> %f to <8 x i32>
  %p = mul <8 x i32> %m, %g
  %h = lshr <8 x i32> %p, splat (i32 16)
  %r = trunc <8 x i32> %h to <8 x i16>
  ret <8 x i16> %r
}
declare <8 x i16> @llvm.umin.v8i16(<8 x i16>, <8 x i16>)
declare <8 x i16> @llvm.umax.v8i16(<8 x i16>, <8 x i16>)
declare <8 x i32> @llvm.abs.v8i32(<8 x i32>, i1 immarg)
declare <8 x i16> @llvm.uadd.sat.v8i16(<8 x i16>, <8 x i16>)
declare <8 x i16> @llvm.usub.sat.v8i16(<8 x i16>, <8 x i16>)
; found %r
; found     price 3.14
; found     %0 = const 4x32 [0,0,0,0]
; found     %1 = leaf 8x16 a0
; found     %2 = leaf 8x16 a1
; found     %3 = const 8x16 [23,23,23,23,23,23,23,23]
; found     %4 = leaf 8x16 a2
; found     %5 = leaf 8x16 a3
; found     %6 = leaf 8x16 a4
; found     %7 = leaf 8x16 a5
; found     %8 = apply 8x16 vminq_u16 %1 %2
; found     %9 = apply 8x16 vabdq_u16 %8 %3
; found     %10 = apply 8x16 vqaddq_u16 %4 %5
; found     %11 = apply 8x16 vmaxq_u16 %10 %6
; found     %12 = apply 8x16 vqsubq_u16 %9 %11
; found     %13 = slice 4x16 %12 @0
; found     %14 = slice 4x16 %7 @0
; found     %15 = apply 4x32 vmull_u16 %13 %14
; found     %16 = apply 4x16 vaddhn_s32 %0 %15
; found     %17 = apply 4x32 vmull_high_u16 %12 %7
; found     %18 = apply 4x16 vaddhn_s32 %0 %17
; found     %19 = join 8x16 %16 %18
; found     roots 19
