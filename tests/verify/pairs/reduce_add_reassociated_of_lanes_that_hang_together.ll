; WANT: bad, unknown: hang together
; a caller may pass a choice of two vectors (REFINEMENT R6)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
define i32 @src(<4 x i32> %a) {
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %a)
  ret i32 %r
}
define i32 @tgt(<4 x i32> %a) {
  %h = shufflevector <4 x i32> %a, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %g = shufflevector <4 x i32> %a, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %s = add <2 x i32> %h, %g
  %x = extractelement <2 x i32> %s, i32 0
  %y = extractelement <2 x i32> %s, i32 1
  %r = add i32 %x, %y
  ret i32 %r
}
