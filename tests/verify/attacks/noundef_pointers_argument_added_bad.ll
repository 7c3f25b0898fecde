; WANT: bad
define i32 @src(i32 %x, <2 x ptr> %f) {
  ret i32 %x
}
define i32 @tgt(i32 %x, <2 x ptr> noundef %f) {
  ret i32 %x
}
