; WANT: bad
define i32 @src(ptr %p, i32 %x) {
  ret i32 %x
}
define i32 @tgt(ptr noundef %p, i32 %x) {
  ret i32 %x
}
