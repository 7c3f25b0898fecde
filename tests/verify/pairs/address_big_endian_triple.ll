; WANT: bad, unknown: big-endian
target triple = "powerpc64-unknown-linux-gnu"
define i32 @src(i32 %x) {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(i32 %x) {
  ret i32 %x
}
