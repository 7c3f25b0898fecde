; WANT: ok
declare <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16>, <8 x i16>)
define <4 x i32> @src(<8 x i16> %a, <8 x i16> %b) {
  %r = call <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16> %a, <8 x i16> %b)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<8 x i16> %a, <8 x i16> %b) {
  %r = call <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16> %b, <8 x i16> %a)
  ret <4 x i32> %r
}
