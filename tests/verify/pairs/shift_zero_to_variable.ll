; WANT: bad
define <4 x i32> @src(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %c = icmp ult <4 x i32> %b, splat (i32 32)
  %s = shl <4 x i32> %a, %b
  %r = select <4 x i1> %c, <4 x i32> %s, <4 x i32> zeroinitializer
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %r = shl <4 x i32> %a, %b
  ret <4 x i32> %r
}
