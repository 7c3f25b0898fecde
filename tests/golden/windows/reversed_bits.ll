; x86 icelake-server 512
declare <64 x i8> @llvm.bitreverse.v64i8(<64 x i8>)
define <64 x i8> @reversed_bits(<64 x i8> %x) {
  %r = call <64 x i8> @llvm.bitreverse.v64i8(<64 x i8> %x)
  ret <64 x i8> %r
}
; found %r
; found     price 0.53
; found     %0 = leaf 64x8 a0
; found     %1 = const 8x64 [9241421688590303745,9241421688590303745,9241421688590303745,9241421688590303745,9241421688590303745,9241421688590303745,9241421688590303745,9241421688590303745]
; found     %2 = apply 64x8 vgf2p8affineqb_512 %0 %1 b=0
; found     roots 2
