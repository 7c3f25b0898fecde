; WANT: bad
define i16 @src(i16 %x) {
  ret i16 %x
}
define i16 @tgt(i16 %x) {
  %t = shl i16 %x, 1
  %r = sub i16 %t, %x
  ret i16 %r
}
