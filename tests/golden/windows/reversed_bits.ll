; x86 icelake-server 512
declare <64 x i8> @llvm.bitreverse.v64i8(<64 x i8>)
define <64 x i8> @reversed_bits(<64 x i8> %x) {
  %r = call <64 x i8> @llvm.bitreverse.v64i8(<64 x i8> %x)
  ret <64 x i8> %r
}
; found %r
; found     nothing: no program found
