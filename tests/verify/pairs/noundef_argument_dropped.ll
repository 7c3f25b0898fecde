; WANT: ok
define i32 @src(i32 noundef %x) {
  ret i32 %x
}
define i32 @tgt(i32 %x) {
  ret i32 %x
}
