; WANT: bad, unknown: is not modelled
define i32 @src(i32 returned %x) {
  %r = add i32 %x, 1
  ret i32 %r
}
define i32 @tgt(i32 returned %x) {
  ret i32 7
}
