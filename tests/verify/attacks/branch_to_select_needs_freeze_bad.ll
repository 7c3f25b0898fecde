; WANT: bad
define i8 @src(i8 %x, i8 %y, i1 %c) {
  %s = select i1 %c, i8 %x, i8 %y
  ret i8 %s
}
define i8 @tgt(i8 %x, i8 %y, i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret i8 %x
b:
  ret i8 %y
}
