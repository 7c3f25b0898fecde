; WANT: ok
define <4 x i32> @src(<4 x i16> %a) {
  %m = and <4 x i16> %a, splat (i16 32767)
  %r = zext <4 x i16> %m to <4 x i32>
  ret <4 x i32> %r
}
define <4 x i32> @tgt(<4 x i16> %a) {
  %m = and <4 x i16> %a, splat (i16 32767)
  %r = zext nneg <4 x i16> %m to <4 x i32>
  ret <4 x i32> %r
}
