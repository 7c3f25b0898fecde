; (a * b + 2^14) >> 15 of 16-bit lanes, in 32 bits
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @multiply_round(ptr noalias %out, ptr noalias %a, ptr noalias %b) #0 {
  %x = load <32 x i16>, ptr %a, align 64
  %y = load <32 x i16>, ptr %b, align 64
  %wide.x = sext <32 x i16> %x to <32 x i32>
  %wide.y = sext <32 x i16> %y to <32 x i32>
  %product = mul nsw <32 x i32> %wide.x, %wide.y
  %rounded = add nsw <32 x i32> %product, splat (i32 16384)
  %high = ashr <32 x i32> %rounded, splat (i32 15)
  %r = trunc <32 x i32> %high to <32 x i16>
  store <32 x i16> %r, ptr %out, align 64
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" }
