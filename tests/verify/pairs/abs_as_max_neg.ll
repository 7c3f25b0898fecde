; WANT: ok
declare <4 x i32> @llvm.abs.v4i32(<4 x i32>, i1)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
define <4 x i32> @src(<4 x i32> noundef %a) {
  %r = call <4 x i32> @llvm.abs.v4i32(<4 x i32> %a, i1 true)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a) {
  %n = sub <4 x i32> zeroinitializer, %a
  %r = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %a, <4 x i32> %n)
  ret <4 x i32> %r
}
