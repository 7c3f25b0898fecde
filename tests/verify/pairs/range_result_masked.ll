; WANT: ok
define i32 @src(i32 %x) {
  %r = and i32 %x, 255
  ret i32 %r
}
define range(i32 0, 256) i32 @tgt(i32 %x) {
  %r = and i32 %x, 255
  ret i32 %r
}
