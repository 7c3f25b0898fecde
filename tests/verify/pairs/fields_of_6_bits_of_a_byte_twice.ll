; WANT: bad
define <16 x i8> @src(<16 x i8> %s) {
  %a = shufflevector <16 x i8> %s, <16 x i8> poison, <4 x i32> <i32 0, i32 3, i32 6, i32 9>
  %b = shufflevector <16 x i8> %s, <16 x i8> poison, <4 x i32> <i32 1, i32 4, i32 7, i32 10>
  %c = shufflevector <16 x i8> %s, <16 x i8> poison, <4 x i32> <i32 2, i32 5, i32 8, i32 11>
  %w = lshr <4 x i8> %a, splat (i8 2)
  %ah = shl <4 x i8> %a, splat (i8 4)
  %al = and <4 x i8> %ah, splat (i8 48)
  %bh = lshr <4 x i8> %b, splat (i8 4)
  %x = or <4 x i8> %al, %bh
  %bl = shl <4 x i8> %b, splat (i8 2)
  %bm = and <4 x i8> %bl, splat (i8 60)
  %ch = lshr <4 x i8> %c, splat (i8 6)
  %y = or <4 x i8> %bm, %ch
  %z = and <4 x i8> %c, splat (i8 63)
  %wx = shufflevector <4 x i8> %w, <4 x i8> %x, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %yz = shufflevector <4 x i8> %y, <4 x i8> %z, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %r = shufflevector <8 x i8> %wx, <8 x i8> %yz, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 1, i32 5, i32 9, i32 13, i32 2, i32 6, i32 10, i32 14, i32 3, i32 7, i32 11, i32 15>
  ret <16 x i8> %r
}
define <16 x i8> @tgt(<16 x i8> %s) {
  %f = freeze <16 x i8> %s
  %g = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %f, <16 x i8> <i8 1, i8 0, i8 2, i8 2, i8 4, i8 3, i8 5, i8 5, i8 7, i8 6, i8 8, i8 8, i8 10, i8 9, i8 11, i8 11>)
  %d = bitcast <16 x i8> %g to <4 x i32>
  %o = and <4 x i32> %d, splat (i32 264305664)
  %ow = bitcast <4 x i32> %o to <8 x i16>
  %h = call <8 x i16> @llvm.x86.sse2.pmulhu.w(<8 x i16> %ow, <8 x i16> <i16 64, i16 1024, i16 64, i16 1024, i16 64, i16 1024, i16 64, i16 1024>)
  %e = and <4 x i32> %d, splat (i32 4129776)
  %ew = bitcast <4 x i32> %e to <8 x i16>
  %l = mul <8 x i16> %ew, <i16 16, i16 256, i16 16, i16 256, i16 16, i16 256, i16 16, i16 256>
  %j = or <8 x i16> %h, %l
  %r = bitcast <8 x i16> %j to <16 x i8>
  ret <16 x i8> %r
}
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
declare <8 x i16> @llvm.x86.sse2.pmulhu.w(<8 x i16>, <8 x i16>)
