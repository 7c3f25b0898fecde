; WANT: bad, unknown: hang together
define i32 @src(<8 x i16> %x) {
  %s = sext <8 x i16> %x to <8 x i32>
  %w = mul <8 x i32> %s, <i32 1, i32 1, i32 1, i32 1, i32 -1, i32 -1, i32 -1, i32 -1>
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %w)
  ret i32 %r
}
define i32 @tgt(<8 x i16> %x) {
  %e0 = shufflevector <8 x i16> %x, <8 x i16> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %e1 = shufflevector <8 x i16> %x, <8 x i16> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %s0 = sext <4 x i16> %e0 to <4 x i32>
  %s1 = sext <4 x i16> %e1 to <4 x i32>
  %t = sub <4 x i32> %s0, %s1
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %t)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
