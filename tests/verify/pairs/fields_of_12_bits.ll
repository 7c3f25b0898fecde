; WANT: ok
define <8 x i16> @src(<16 x i8> %a) {
  %x = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 0, i32 3, i32 6, i32 9>
  %y = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 1, i32 4, i32 7, i32 10>
  %z = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 2, i32 5, i32 8, i32 11>
  %xw = zext <4 x i8> %x to <4 x i16>
  %l = and <4 x i8> %y, splat (i8 15)
  %lw = zext <4 x i8> %l to <4 x i16>
  %lh = shl <4 x i16> %lw, splat (i16 8)
  %even = or <4 x i16> %lh, %xw
  %h = lshr <4 x i8> %y, splat (i8 4)
  %hw = zext <4 x i8> %h to <4 x i16>
  %zw = zext <4 x i8> %z to <4 x i16>
  %zh = shl <4 x i16> %zw, splat (i16 4)
  %odd = or <4 x i16> %zh, %hw
  %r = shufflevector <4 x i16> %even, <4 x i16> %odd, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<16 x i8> %a) {
  %f = freeze <16 x i8> %a
  %g = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %f, <16 x i8> <i8 0, i8 1, i8 1, i8 2, i8 3, i8 4, i8 4, i8 5, i8 6, i8 7, i8 7, i8 8, i8 9, i8 10, i8 10, i8 11>)
  %w = bitcast <16 x i8> %g to <8 x i16>
  %m = mul <8 x i16> %w, <i16 16, i16 1, i16 16, i16 1, i16 16, i16 1, i16 16, i16 1>
  %r = lshr <8 x i16> %m, splat (i16 4)
  ret <8 x i16> %r
}
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
