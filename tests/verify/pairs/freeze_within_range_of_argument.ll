; WANT: ok
; The freeze may give 255: the result is the argument, which is below 16.
define i8 @src(i8 noundef range(i8 0, 10) %x, i8 %y) {
  %a = add nuw i8 %y, poison
  %f = freeze i8 %a
  %r = and i8 %f, %x
  ret i8 %r
}
define i8 @tgt(i8 noundef range(i8 0, 10) %x, i8 %y) {
  %r = and i8 %x, 15
  ret i8 %r
}
