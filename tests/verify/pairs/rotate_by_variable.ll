; WANT: bad
declare <4 x i32> @llvm.fshl.v4i32(<4 x i32>, <4 x i32>, <4 x i32>)
define <4 x i32> @src(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %r = call <4 x i32> @llvm.fshl.v4i32(<4 x i32> %a, <4 x i32> %a, <4 x i32> %b)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %n = sub <4 x i32> splat (i32 32), %b
  %x = shl <4 x i32> %a, %b
  %y = lshr <4 x i32> %a, %n
  %r = or <4 x i32> %x, %y
  ret <4 x i32> %r
}
