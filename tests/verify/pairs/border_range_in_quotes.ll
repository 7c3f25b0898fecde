; WANT: bad
define i32 @src(i32 noundef "range(i32 0, 8)" %x) {
  %r = lshr i32 %x, 4
  ret i32 %r
}
define i32 @tgt(i32 noundef "range(i32 0, 8)" %x) {
  ret i32 0
}
