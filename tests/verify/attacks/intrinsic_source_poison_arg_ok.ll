; WANT: ok
declare <8 x i16> @llvm.x86.sse2.psrai.w(<8 x i16>, i32)
define <8 x i16> @src() {
  %e = call <8 x i16> @llvm.x86.sse2.psrai.w(<8 x i16> poison, i32 16)
  ret <8 x i16> %e
}
define <8 x i16> @tgt() {
  ret <8 x i16> zeroinitializer
}
