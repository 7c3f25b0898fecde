; WANT: bad
declare <2 x i64> @llvm.clmul.v2i64(<2 x i64>, <2 x i64>)
declare <2 x i64> @llvm.x86.pclmulqdq(<2 x i64>, <2 x i64>, i8)
define <2 x i64> @src(<2 x i64> noundef %a, <2 x i64> noundef %b) {
  %r = call <2 x i64> @llvm.clmul.v2i64(<2 x i64> %a, <2 x i64> %b)
  ret <2 x i64> %r
}
define <2 x i64> @tgt(<2 x i64> noundef %a, <2 x i64> noundef %b) {
  %c = and <2 x i64> %a, splat (i64 9223372036854775807)
  %p = call <2 x i64> @llvm.x86.pclmulqdq(<2 x i64> %c, <2 x i64> %b, i8 0)
  %q = call <2 x i64> @llvm.x86.pclmulqdq(<2 x i64> %c, <2 x i64> %b, i8 17)
  %r = shufflevector <2 x i64> %p, <2 x i64> %q, <2 x i32> <i32 0, i32 2>
  ret <2 x i64> %r
}
