; arm neoverse-v1 128
define <8 x i16> @nested_high_product(<8 x i16> %p, <8 x i16> %q, <8 x i16> %r, <8 x i16> %s) {
  %m = call <8 x i16> @llvm.umin.v8i16(<8 x i16> %p, <8 x i16> splat (i16 10))
  %a = zext <8 x i16> %m to <8 x i32>
  %b = zext <8 x i16> %q to <8 x i32>
  %c = add <8 x i32> %a, %b
  %d = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %c, <8 x i32> splat (i32 65535))
  %e = zext <8 x i16> %r to <8 x i32>
  %f = mul <8 x i32> %d, %e
  %g = lshr <8 x i32> %f, splat (i32 16)
  %h = zext <8 x i16> %s to <8 x i32>
  %i = add <8 x i32> %g, %h
  %j = lshr <8 x i32> %i, splat (i32 1)
  %k = trunc <8 x i32> %j to <8 x i16>
  ret <8 x i16> %k
}
declare <8 x i16> @llvm.umin.v8i16(<8 x i16>, <8 x i16>)
declare <8 x i32> @llvm.umin.v8i32(<8 x i32>, <8 x i32>)
; found %k
; found     price 2.62
; found     %0 = const 4x32 [0,0,0,0]
; found     %1 = leaf 8x16 a1
; found     %2 = leaf 8x16 a0
; found     %3 = const 8x16 [10,10,10,10,10,10,10,10]
; found     %4 = leaf 8x16 a2
; found     %5 = apply 8x16 vminq_u16 %2 %3
; found     %6 = apply 8x16 vsqaddq_u16 %1 %5
; found     %7 = slice 4x16 %6 @0
; found     %8 = slice 4x16 %4 @0
; found     %9 = apply 4x32 vmull_u16 %7 %8
; found     %10 = apply 4x16 vaddhn_s32 %0 %9
; found     %11 = apply 4x32 vmull_high_u16 %6 %4
; found     %12 = apply 4x16 vaddhn_s32 %0 %11
; found     %13 = join 8x16 %10 %12
; found     %14 = leaf 8x16 a3
; found     %15 = apply 8x16 vhaddq_u16 %13 %14
; found     roots 15
