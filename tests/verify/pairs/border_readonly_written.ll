; WANT: ok
define i32 @src(ptr readonly %p) {
  store i32 7, ptr %p, align 4
  ret i32 1
}
define i32 @tgt(ptr readonly %p) {
  unreachable
}
