; x86 icelake-server 256
declare <8 x i32> @llvm.ctpop.v8i32(<8 x i32>)
define <8 x i32> @counted_bits(<8 x i32> %x, <8 x i32> %y) {
  %c = call <8 x i32> @llvm.ctpop.v8i32(<8 x i32> %x)
  %r = add <8 x i32> %c, %y
  ret <8 x i32> %r
}
; found %r
; found     nothing: no program found: the lane graph ended at its limit of 2000000 steps
