; WANT: bad
define i32 @src(i32 %x) "b" section "a" {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(i32 %x) "a" section "b" {
  ret i32 %x
}
