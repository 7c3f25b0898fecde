; WANT: ok
define i8 @src(i8 noundef %x, i8 noundef %y) {
  %q = udiv i8 %x, %y
  %m = mul i8 %q, %y
  %r = sub i8 %x, %m
  ret i8 %r
}
define i8 @tgt(i8 noundef %x, i8 noundef %y) {
  %r = urem i8 %x, %y
  ret i8 %r
}
