; WANT: bad
define i16 @src(ptr %p) {
  %x = load i16, ptr %p, align 2
  ret i16 %x
}
define i16 @tgt(ptr %p) {
  %x = load i16, ptr %p, align 2
  %a = lshr i16 %x, 8
  %b = shl i16 %a, 8
  %n = sub i16 %x, %b
  %r = add i16 %b, %n
  ret i16 %r
}
