; WANT: bad, unknown: what follows
define i32 @src(i32 %x) prefix i32 7 {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(i32 %x) prefix i32 8 {
  ret i32 %x
}
