; WANT: ok
define <4 x i32> @src(<4 x i32> %a, <4 x i32> %b) {
  %x = and <4 x i32> %a, splat (i32 65535)
  %y = shl <4 x i32> %b, splat (i32 16)
  %r = xor <4 x i32> %x, %y
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> %a, <4 x i32> %b) {
  %x = and <4 x i32> %a, splat (i32 65535)
  %y = shl <4 x i32> %b, splat (i32 16)
  %r = or disjoint <4 x i32> %x, %y
  ret <4 x i32> %r
}
