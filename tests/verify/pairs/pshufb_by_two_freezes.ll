; WANT: bad, unknown: LangRef leaves open
; Zeros of poison may be poison for one number and not for another one: two freezes of poison are two numbers.
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
define <2 x i8> @src(<16 x i8> %x) {
  %m = freeze <16 x i8> poison
  %v = or <16 x i8> %m, splat (i8 -128)
  %p = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %x, <16 x i8> %v)
  %r = shufflevector <16 x i8> %p, <16 x i8> %v, <2 x i32> <i32 0, i32 16>
  ret <2 x i8> %r
}
define <2 x i8> @tgt(<16 x i8> %x) {
  %m = freeze <16 x i8> poison
  %v = or <16 x i8> %m, splat (i8 -128)
  %n = freeze <16 x i8> poison
  %w = or <16 x i8> %n, splat (i8 -128)
  %p = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %x, <16 x i8> %w)
  %r = shufflevector <16 x i8> %p, <16 x i8> %v, <2 x i32> <i32 0, i32 16>
  ret <2 x i8> %r
}
