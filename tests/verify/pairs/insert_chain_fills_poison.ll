; WANT: ok
define <4 x i32> @src(i32 %s) {
  %x = insertelement <4 x i32> poison, i32 %s, i32 0
  %y = insertelement <4 x i32> %x, i32 %s, i32 1
  ret <4 x i32> %y
}
define <4 x i32> @tgt(i32 %s) {
  %x = insertelement <4 x i32> poison, i32 %s, i32 0
  %y = shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> zeroinitializer
  ret <4 x i32> %y
}
