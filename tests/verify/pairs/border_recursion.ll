; WANT: bad, unknown: call of
define i32 @src(i32 %x) {
  %r = call i32 @src(i32 %x)
  ret i32 %r
}
define i32 @tgt(i32 %x) {
  %r = call i32 @tgt(i32 %x)
  ret i32 %r
}
