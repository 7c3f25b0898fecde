; WANT: bad
; The divisor is never 0, whatever its undef bits are: the source is defined where the target is not.
define i8 @src(i8 noundef %x, i8 %y) {
  %d = or i8 %y, 1
  %r = udiv i8 %x, %d
  ret i8 0
}
define i8 @tgt(i8 noundef %x, i8 noundef %y) {
  ret i8 0
}
