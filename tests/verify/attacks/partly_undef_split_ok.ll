; WANT: ok
define i16 @src(ptr %p) {
  %x = load i16, ptr %p, align 2
  ret i16 %x
}
define i16 @tgt(ptr %p) {
  %x = load i16, ptr %p, align 2
  %a = and i16 %x, 255
  %b = and i16 %x, -256
  %r = or i16 %a, %b
  ret i16 %r
}
