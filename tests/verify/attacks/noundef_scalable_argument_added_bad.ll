; WANT: bad
define i32 @src(i32 %x, <vscale x 2 x i32> %f) {
  ret i32 %x
}
define i32 @tgt(i32 %x, <vscale x 2 x i32> noundef range(i32 0, 5) %f) {
  ret i32 %x
}
