; WANT: ok
declare <4 x i32> @llvm.fshl.v4i32(<4 x i32>, <4 x i32>, <4 x i32>)
define <4 x i32> @src(<4 x i32> %a, <4 x i32> %b) {
  %r = call <4 x i32> @llvm.fshl.v4i32(<4 x i32> %a, <4 x i32> %b, <4 x i32> splat (i32 7))
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a, <4 x i32> %b) {
  %x = shl <4 x i32> %a, splat (i32 7)
  %y = lshr <4 x i32> %b, splat (i32 25)
  %r = or disjoint <4 x i32> %x, %y
  ret <4 x i32> %r
}
