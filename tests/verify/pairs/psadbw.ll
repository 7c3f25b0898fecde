; WANT: ok
declare <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)
declare <16 x i16> @llvm.abs.v16i16(<16 x i16>, i1)
declare i16 @llvm.vector.reduce.add.v8i16(<8 x i16>)
define <2 x i64> @src(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %d = sub nsw <16 x i16> %x, %y
  %m = call <16 x i16> @llvm.abs.v16i16(<16 x i16> %d, i1 true)
  %h = shufflevector <16 x i16> %m, <16 x i16> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %l = shufflevector <16 x i16> %m, <16 x i16> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %p = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %h)
  %q = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %l)
  %pz = zext i16 %p to i64
  %qz = zext i16 %q to i64
  %u = insertelement <2 x i64> poison, i64 %pz, i64 0
  %r = insertelement <2 x i64> %u, i64 %qz, i64 1
  ret <2 x i64> %r
}
define <2 x i64> @tgt(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %r = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %a, <16 x i8> %b)
  ret <2 x i64> %r
}
