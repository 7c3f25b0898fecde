; WANT: ok
declare <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v16i32(<4 x i32>, <16 x i32>)
declare <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32>, <16 x i8>, <16 x i8>)
define <4 x i32> @src(<4 x i32> noundef %s, <16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i32>
  %y = sext <16 x i8> %b to <16 x i32>
  %m = mul nsw <16 x i32> %x, %y
  %r = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v16i32(<4 x i32> %s, <16 x i32> %m)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %s, <16 x i8> noundef %a, <16 x i8> noundef %b) {
  %r = call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32> %s, <16 x i8> %a, <16 x i8> %b)
  ret <4 x i32> %r
}
