; WANT: bad
; What is undef in memory is another number at each load: their sum may be odd.
define i32 @src(ptr %p) {
  %a = load i32, ptr %p, align 4
  %r = shl i32 %a, 1
  ret i32 %r
}
define i32 @tgt(ptr %p) {
  %a = load i32, ptr %p, align 4
  %b = load i32, ptr %p, align 4
  %r = add i32 %a, %b
  ret i32 %r
}
