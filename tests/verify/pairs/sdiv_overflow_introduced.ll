; WANT: bad
define <4 x i32> @src(<4 x i32> noundef %a) {
  %r = sub <4 x i32> zeroinitializer, %a
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a) {
  %r = sdiv <4 x i32> %a, splat (i32 -1)
  ret <4 x i32> %r
}
