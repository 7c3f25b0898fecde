; WANT: ok
define <4 x i32> @src(<4 x i32> %a, i32 %s) {
  %x = insertelement <4 x i32> %a, i32 %s, i32 2
  ret <4 x i32> %x
}
define <4 x i32> @tgt(<4 x i32> %a, i32 %s) {
  %p = insertelement <4 x i32> %a, i32 poison, i32 2
  %x = insertelement <4 x i32> %p, i32 %s, i32 2
  ret <4 x i32> %x
}
