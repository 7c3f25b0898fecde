; WANT: ok
define i8 @src(i8 %x) {
  %t = shl i8 %x, 1
  %r = add i8 %t, %x
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  %r = mul i8 %x, 3
  ret i8 %r
}
