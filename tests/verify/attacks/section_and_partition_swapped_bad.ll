; WANT: bad
define i32 @src(i32 %x) section "a" partition "b" {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(i32 %x) section "b" partition "a" {
  ret i32 %x
}
