; WANT: ok
define <16 x i8> @src(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i32>
  %y = zext <16 x i8> %b to <16 x i32>
  %m = mul nuw <16 x i32> %x, %y
  %t = add nuw <16 x i32> %m, splat (i32 127)
  %q = udiv <16 x i32> %t, splat (i32 255)
  %r = trunc <16 x i32> %q to <16 x i8>
  ret <16 x i8> %r
}
define <16 x i8> @tgt(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %m = mul nuw <16 x i16> %x, %y
  %t = add nuw <16 x i16> %m, splat (i16 128)
  %u = zext <16 x i16> %t to <16 x i32>
  %v = mul nuw <16 x i32> %u, splat (i32 257)
  %w = lshr <16 x i32> %v, splat (i32 16)
  %r = trunc <16 x i32> %w to <16 x i8>
  ret <16 x i8> %r
}
