; WANT: ok
declare <4 x i32> @llvm.ctlz.v4i32(<4 x i32>, i1)
define <4 x i32> @src(<4 x i32> %a) {
  %r = call <4 x i32> @llvm.ctlz.v4i32(<4 x i32> %a, i1 true)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %r = call <4 x i32> @llvm.ctlz.v4i32(<4 x i32> %a, i1 false)
  ret <4 x i32> %r
}
