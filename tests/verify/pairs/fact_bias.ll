; WANT: ok
define <8 x i32> @src(<8 x i16> noundef %v) {
  %w = sext <8 x i16> %v to <8 x i32>
  %a = add <8 x i32> %w, splat (i32 8192)
  %s = ashr <8 x i32> %a, splat (i32 14)
  %r = add <8 x i32> %s, splat (i32 121)
  ret <8 x i32> %r
}
define <8 x i32> @tgt(<8 x i16> noundef %v) {
  %w = sext <8 x i16> %v to <8 x i32>
  %a = add <8 x i32> %w, splat (i32 1990656)
  %r = ashr <8 x i32> %a, splat (i32 14)
  ret <8 x i32> %r
}
