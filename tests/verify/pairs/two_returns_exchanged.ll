; WANT: bad
define i8 @src(i1 %c, i8 %x, i8 %y) {
  %f = freeze i1 %c
  br i1 %f, label %yes, label %no
yes:
  ret i8 %x
no:
  ret i8 %y
}
define i8 @tgt(i1 %c, i8 %x, i8 %y) {
  %f = freeze i1 %c
  %r = select i1 %f, i8 %y, i8 %x
  ret i8 %r
}
