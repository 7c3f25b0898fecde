; WANT: ok
declare <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8>, <2 x i8>, i64)
define <4 x i8> @src(<4 x i8> %x, <2 x i8> %y) {
  %a = call <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8> %x, <2 x i8> %y, i64 2)
  ret <4 x i8> %a
}
define <4 x i8> @tgt(<4 x i8> %x, <2 x i8> %y) {
  %b = shufflevector <2 x i8> %y, <2 x i8> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %a = shufflevector <4 x i8> %x, <4 x i8> %b, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  ret <4 x i8> %a
}
