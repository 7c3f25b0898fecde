; WANT: ok
declare <8 x i16> @llvm.x86.sse41.packusdw(<4 x i32>, <4 x i32>)
define <8 x i16> @src(<4 x i32> noundef %x, <4 x i32> noundef %y) {
  %c = shufflevector <4 x i32> %x, <4 x i32> %y, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %m = and <8 x i32> %c, splat (i32 65535)
  %t = trunc <8 x i32> %m to <8 x i16>
  ret <8 x i16> %t
}
define <8 x i16> @tgt(<4 x i32> noundef %x, <4 x i32> noundef %y) {
  %a = and <4 x i32> %x, splat (i32 65535)
  %b = and <4 x i32> %y, splat (i32 65535)
  %r = call <8 x i16> @llvm.x86.sse41.packusdw(<4 x i32> %a, <4 x i32> %b)
  ret <8 x i16> %r
}
