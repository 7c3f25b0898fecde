; WANT: bad
define i32 @src(i32 range(i32 0, 257) %x) {
  %r = trunc i32 %x to i8
  %s = zext i8 %r to i32
  ret i32 %s
}
define i32 @tgt(i32 range(i32 0, 257) %x) {
  ret i32 %x
}
