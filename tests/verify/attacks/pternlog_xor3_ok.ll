; WANT: ok
declare <4 x i32> @llvm.x86.avx512.pternlog.d.128(<4 x i32>, <4 x i32>, <4 x i32>, i32)
define <4 x i32> @src(<4 x i32> %x, <4 x i32> %y, <4 x i32> %z) {
  %a = xor <4 x i32> %x, %y
  %r = xor <4 x i32> %a, %z
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %x, <4 x i32> %y, <4 x i32> %z) {
  %r = call <4 x i32> @llvm.x86.avx512.pternlog.d.128(<4 x i32> %x, <4 x i32> %y, <4 x i32> %z, i32 150)
  ret <4 x i32> %r
}
