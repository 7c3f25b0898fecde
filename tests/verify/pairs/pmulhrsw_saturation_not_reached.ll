; WANT: ok
declare <8 x i16> @llvm.x86.ssse3.pmul.hr.sw.128(<8 x i16>, <8 x i16>)
declare <8 x i32> @llvm.smin.v8i32(<8 x i32>, <8 x i32>)
define <8 x i16> @src(<8 x i16> noundef range(i16 -32767, -32768) %a, <8 x i16> noundef %b) {
  %x = sext <8 x i16> %a to <8 x i32>
  %y = sext <8 x i16> %b to <8 x i32>
  %m = mul nsw <8 x i32> %x, %y
  %s = add nsw <8 x i32> %m, splat (i32 16384)
  %t = ashr <8 x i32> %s, splat (i32 15)
  %u = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t, <8 x i32> splat (i32 32767))
  %r = trunc <8 x i32> %u to <8 x i16>
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<8 x i16> noundef range(i16 -32767, -32768) %a, <8 x i16> noundef %b) {
  %r = call <8 x i16> @llvm.x86.ssse3.pmul.hr.sw.128(<8 x i16> %a, <8 x i16> %b)
  ret <8 x i16> %r
}
