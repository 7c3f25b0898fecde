; WANT: bad
define i32 @src(i32 %x, float %f) {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(i32 %x, float noundef %f) {
  ret i32 %x
}
