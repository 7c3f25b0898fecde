; WANT: bad
define i32 @src(i32 %x) {
  ret i32 %x
}
define range(i32 0, 256) i32 @tgt(i32 %x) {
  ret i32 %x
}
