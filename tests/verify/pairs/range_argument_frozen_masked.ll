; WANT: ok
define i32 @src(i32 range(i32 0, 256) %x) {
  %f = freeze i32 %x
  ret i32 %f
}
define i32 @tgt(i32 range(i32 0, 256) %x) {
  %f = freeze i32 %x
  %r = and i32 %f, 255
  ret i32 %r
}
