; WANT: bad, unknown: differ
define i32 @src(i32 %x) "target-cpu"="haswell" {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(i32 %x) "target-cpu"="znver4" {
  ret i32 %x
}
