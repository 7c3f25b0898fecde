; WANT: ok
define i32 @src(ptr %p) {
  %r = add i32 1, 2
  ret i32 %r
}
define i32 @tgt(ptr readnone captures(none) %p) memory(none) {
  ret i32 3
}
