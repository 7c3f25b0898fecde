; WANT: ok
declare <4 x i8> @llvm.vector.splice.left.v4i8(<4 x i8>, <4 x i8>, i32)
define <4 x i8> @src(<4 x i8> %x, <4 x i8> %y) {
  %a = call <4 x i8> @llvm.vector.splice.left.v4i8(<4 x i8> %x, <4 x i8> %y, i32 1)
  ret <4 x i8> %a
}
define <4 x i8> @tgt(<4 x i8> %x, <4 x i8> %y) {
  %a = shufflevector <4 x i8> %x, <4 x i8> %y, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  ret <4 x i8> %a
}
