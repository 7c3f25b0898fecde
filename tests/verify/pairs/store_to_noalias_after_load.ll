; WANT: ok
; That one of the two does not alias is enough, whichever is accessed first.
define i32 @src(ptr %p, ptr noalias %q) {
  %a = load i32, ptr %p, align 4
  store i32 3, ptr %q, align 4
  %b = load i32, ptr %p, align 4
  %r = sub i32 %b, 0
  ret i32 %r
}
define i32 @tgt(ptr %p, ptr noalias %q) {
  %a = load i32, ptr %p, align 4
  store i32 3, ptr %q, align 4
  ret i32 %a
}
