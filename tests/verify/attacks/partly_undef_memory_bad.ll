; WANT: bad
define i16 @src(ptr %p) {
  %x = load i16, ptr %p, align 2
  ret i16 %x
}
define i16 @tgt(ptr %p) {
  %x = load i16, ptr %p, align 2
  %t = shl i16 %x, 1
  %r = sub i16 %t, %x
  ret i16 %r
}
