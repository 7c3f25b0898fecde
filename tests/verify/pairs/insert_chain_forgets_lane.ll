; WANT: bad
define <4 x i32> @src(i32 noundef %s) {
  %x = insertelement <4 x i32> zeroinitializer, i32 %s, i32 0
  %y = insertelement <4 x i32> %x, i32 %s, i32 1
  ret <4 x i32> %y
}
define <4 x i32> @tgt(i32 noundef %s) {
  %x = insertelement <4 x i32> poison, i32 %s, i32 0
  %y = insertelement <4 x i32> %x, i32 %s, i32 1
  ret <4 x i32> %y
}
