; WANT: ok
declare <4 x i8> @llvm.clmul.v4i8(<4 x i8>, <4 x i8>)
define <4 x i8> @src(<4 x i8> noundef %a, <4 x i8> noundef %b, <4 x i8> noundef %c) {
  %s = xor <4 x i8> %b, %c
  %r = call <4 x i8> @llvm.clmul.v4i8(<4 x i8> %a, <4 x i8> %s)
  ret <4 x i8> %r
}
define <4 x i8> @tgt(<4 x i8> noundef %a, <4 x i8> noundef %b, <4 x i8> noundef %c) {
  %p = call <4 x i8> @llvm.clmul.v4i8(<4 x i8> %a, <4 x i8> %b)
  %q = call <4 x i8> @llvm.clmul.v4i8(<4 x i8> %c, <4 x i8> %a)
  %r = xor <4 x i8> %p, %q
  ret <4 x i8> %r
}
