; WANT: bad
define <4 x i32> @src(<4 x i1> noundef %c, <4 x i32> %a, <4 x i32> %b) {
  %r = select <4 x i1> %c, <4 x i32> %a, <4 x i32> %b
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i1> noundef %c, <4 x i32> %a, <4 x i32> %b) {
  %m = sext <4 x i1> %c to <4 x i32>
  %x = and <4 x i32> %a, %m
  %n = xor <4 x i32> %m, splat (i32 -1)
  %y = and <4 x i32> %b, %n
  %r = or <4 x i32> %x, %y
  ret <4 x i32> %r
}
