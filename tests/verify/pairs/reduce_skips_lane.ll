; WANT: bad
declare i32 @llvm.vector.reduce.umax.v4i32(<4 x i32>)
define i32 @src(<4 x i32> %a) {
  %r = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %a)
  ret i32 %r
}
define i32 @tgt(<4 x i32> %a) {
  %b = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %r = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %b)
  ret i32 %r
}
