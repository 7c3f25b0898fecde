; WANT: bad
define void @src(i32 %x) {
  ret void
}
define void @tgt(i32 noundef %x) {
  ret void
}
