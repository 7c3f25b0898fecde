; WANT: bad
define i32 @src(i32 %x, [2 x i32] %f) {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(i32 %x, [2 x i32] noundef %f) {
  ret i32 %x
}
