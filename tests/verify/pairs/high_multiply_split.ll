; WANT: ok
define <4 x i32> @src(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %x = sext <4 x i32> %a to <4 x i64>
  %y = sext <4 x i32> %b to <4 x i64>
  %m = mul nsw <4 x i64> %x, %y
  %h = lshr <4 x i64> %m, splat (i64 32)
  %r = trunc <4 x i64> %h to <4 x i32>
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %f = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> <i32 1, i32 1, i32 3, i32 3>
  %g = shufflevector <4 x i32> %b, <4 x i32> poison, <4 x i32> <i32 1, i32 1, i32 3, i32 3>
  %ae = bitcast <4 x i32> %a to <2 x i64>
  %be = bitcast <4 x i32> %b to <2 x i64>
  %ao = bitcast <4 x i32> %f to <2 x i64>
  %bo = bitcast <4 x i32> %g to <2 x i64>
  %a1 = shl <2 x i64> %ae, splat (i64 32)
  %a2 = ashr exact <2 x i64> %a1, splat (i64 32)
  %b1 = shl <2 x i64> %be, splat (i64 32)
  %b2 = ashr exact <2 x i64> %b1, splat (i64 32)
  %c1 = shl <2 x i64> %ao, splat (i64 32)
  %c2 = ashr exact <2 x i64> %c1, splat (i64 32)
  %d1 = shl <2 x i64> %bo, splat (i64 32)
  %d2 = ashr exact <2 x i64> %d1, splat (i64 32)
  %e = mul <2 x i64> %a2, %b2
  %o = mul <2 x i64> %c2, %d2
  %ev = bitcast <2 x i64> %e to <4 x i32>
  %ov = bitcast <2 x i64> %o to <4 x i32>
  %r = shufflevector <4 x i32> %ev, <4 x i32> %ov, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  ret <4 x i32> %r
}
