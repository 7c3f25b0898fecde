; WANT: bad
define <4 x i32> @src(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %s = add <4 x i32> %a, %b
  %r = lshr <4 x i32> %s, splat (i32 1)
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %x = and <4 x i32> %a, %b
  %y = xor <4 x i32> %a, %b
  %z = lshr <4 x i32> %y, splat (i32 1)
  %r = add <4 x i32> %x, %z
  ret <4 x i32> %r
}
