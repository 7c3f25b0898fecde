; (a * b + 2^14) >> 15 of 16-bit lanes, in 32 bits
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @multiply_round(ptr noalias %out, ptr noalias %a, ptr noalias %b) #0 {
  %x = load <16 x i16>, ptr %a, align 32
  %y = load <16 x i16>, ptr %b, align 32
  %wide.x = sext <16 x i16> %x to <16 x i32>
  %wide.y = sext <16 x i16> %y to <16 x i32>
  %product = mul nsw <16 x i32> %wide.x, %wide.y
  %rounded = add nsw <16 x i32> %product, splat (i32 16384)
  %high = ashr <16 x i32> %rounded, splat (i32 15)
  %r = trunc <16 x i32> %high to <16 x i16>
  store <16 x i16> %r, ptr %out, align 32
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="256" "prefer-vector-width"="256" }
