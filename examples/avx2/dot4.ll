; acc + the sum of four products of unsigned and signed bytes, in 32 bits
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @dot4(ptr noalias %out, ptr noalias %sums, ptr noalias %a, ptr noalias %b) #0 {
  %acc = load <8 x i32>, ptr %sums, align 32
  %x = load <32 x i8>, ptr %a, align 32
  %y = load <32 x i8>, ptr %b, align 32
  %wide.x = zext <32 x i8> %x to <32 x i32>
  %wide.y = sext <32 x i8> %y to <32 x i32>
  %product = mul nsw <32 x i32> %wide.x, %wide.y
  %p0 = shufflevector <32 x i32> %product, <32 x i32> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %p1 = shufflevector <32 x i32> %product, <32 x i32> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %p2 = shufflevector <32 x i32> %product, <32 x i32> poison, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %p3 = shufflevector <32 x i32> %product, <32 x i32> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %s0 = add <8 x i32> %acc, %p0
  %s1 = add <8 x i32> %s0, %p1
  %s2 = add <8 x i32> %s1, %p2
  %s3 = add <8 x i32> %s2, %p3
  store <8 x i32> %s3, ptr %out, align 32
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="256" "prefer-vector-width"="256" }
