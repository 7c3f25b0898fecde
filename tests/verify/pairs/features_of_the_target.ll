; WANT: bad, unknown: features lack
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
define <16 x i8> @src(<16 x i8> noundef %x, <16 x i8> noundef %y) "target-features"="+sse2" {
  %a = zext <16 x i8> %x to <16 x i16>
  %b = zext <16 x i8> %y to <16 x i16>
  %s = add <16 x i16> %a, %b
  %t = add <16 x i16> %s, splat (i16 1)
  %u = lshr <16 x i16> %t, splat (i16 1)
  %v = trunc <16 x i16> %u to <16 x i8>
  ret <16 x i8> %v
}
define <16 x i8> @tgt(<16 x i8> noundef %x, <16 x i8> noundef %y) "target-features"="+sse2" {
  %v = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %x, <16 x i8> %y)
  ret <16 x i8> %v
}
