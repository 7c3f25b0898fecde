; WANT: bad, unknown: hang together
; a caller may pass a choice of two vectors (REFINEMENT R6)
target triple = "x86_64-pc-linux-gnu"

define i32 @src(<8 x i16> %x) {
  %w = sext <8 x i16> %x to <8 x i32>
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %w)
  ret i32 %r
}

define i32 @tgt(<8 x i16> %x) {
  %g0 = shufflevector <8 x i16> %x, <8 x i16> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %h0 = sext <4 x i16> %g0 to <4 x i32>
  %g1 = shufflevector <8 x i16> %x, <8 x i16> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %h1 = sext <4 x i16> %g1 to <4 x i32>
  %t0 = add <4 x i32> %h0, %h1
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %t0)
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
