; WANT: ok
define <4 x i32> @src(<4 x i32> %a) {
  %r = shufflevector <4 x i32> %a, <4 x i32> undef, <4 x i32> <i32 0, i32 4, i32 2, i32 3>
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a) {
  %r = shufflevector <4 x i32> %a, <4 x i32> zeroinitializer, <4 x i32> <i32 0, i32 4, i32 2, i32 3>
  ret <4 x i32> %r
}
