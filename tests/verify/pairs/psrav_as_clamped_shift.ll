; WANT: ok
declare <4 x i32> @llvm.x86.avx2.psrav.d(<4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.umin.v4i32(<4 x i32>, <4 x i32>)
define <4 x i32> @src(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %r = call <4 x i32> @llvm.x86.avx2.psrav.d(<4 x i32> %a, <4 x i32> %b)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %n = call <4 x i32> @llvm.umin.v4i32(<4 x i32> %b, <4 x i32> splat (i32 31))
  %r = ashr <4 x i32> %a, %n
  ret <4 x i32> %r
}
