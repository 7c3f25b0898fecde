; acc + the sum of four products of unsigned and signed bytes, in 32 bits
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @dot4(ptr noalias %out, ptr noalias %sums, ptr noalias %a, ptr noalias %b) #0 {
  %acc = load <16 x i32>, ptr %sums, align 64
  %x = load <64 x i8>, ptr %a, align 64
  %y = load <64 x i8>, ptr %b, align 64
  %wide.x = zext <64 x i8> %x to <64 x i32>
  %wide.y = sext <64 x i8> %y to <64 x i32>
  %product = mul nsw <64 x i32> %wide.x, %wide.y
  %p0 = shufflevector <64 x i32> %product, <64 x i32> poison, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60>
  %p1 = shufflevector <64 x i32> %product, <64 x i32> poison, <16 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29, i32 33, i32 37, i32 41, i32 45, i32 49, i32 53, i32 57, i32 61>
  %p2 = shufflevector <64 x i32> %product, <64 x i32> poison, <16 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30, i32 34, i32 38, i32 42, i32 46, i32 50, i32 54, i32 58, i32 62>
  %p3 = shufflevector <64 x i32> %product, <64 x i32> poison, <16 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31, i32 35, i32 39, i32 43, i32 47, i32 51, i32 55, i32 59, i32 63>
  %s0 = add <16 x i32> %acc, %p0
  %s1 = add <16 x i32> %s0, %p1
  %s2 = add <16 x i32> %s1, %p2
  %s3 = add <16 x i32> %s2, %p3
  store <16 x i32> %s3, ptr %out, align 64
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" }
