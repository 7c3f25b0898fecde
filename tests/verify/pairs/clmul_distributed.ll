; WANT: ok
declare <2 x i64> @llvm.clmul.v2i64(<2 x i64>, <2 x i64>)
define <2 x i64> @src(<2 x i64> noundef %a, <2 x i64> noundef %b, <2 x i64> noundef %c) {
  %s = xor <2 x i64> %b, %c
  %r = call <2 x i64> @llvm.clmul.v2i64(<2 x i64> %a, <2 x i64> %s)
  ret <2 x i64> %r
}
define <2 x i64> @tgt(<2 x i64> noundef %a, <2 x i64> noundef %b, <2 x i64> noundef %c) {
  %p = call <2 x i64> @llvm.clmul.v2i64(<2 x i64> %a, <2 x i64> %b)
  %q = call <2 x i64> @llvm.clmul.v2i64(<2 x i64> %c, <2 x i64> %a)
  %r = xor <2 x i64> %p, %q
  ret <2 x i64> %r
}
