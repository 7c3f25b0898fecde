; WANT: bad
declare <4 x i32> @llvm.sadd.sat.v4i32(<4 x i32>, <4 x i32>)
define <4 x i32> @src(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c) {
  %x = call <4 x i32> @llvm.sadd.sat.v4i32(<4 x i32> %a, <4 x i32> %b)
  %r = call <4 x i32> @llvm.sadd.sat.v4i32(<4 x i32> %x, <4 x i32> %c)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c) {
  %x = call <4 x i32> @llvm.sadd.sat.v4i32(<4 x i32> %b, <4 x i32> %c)
  %r = call <4 x i32> @llvm.sadd.sat.v4i32(<4 x i32> %a, <4 x i32> %x)
  ret <4 x i32> %r
}
