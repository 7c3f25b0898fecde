; WANT: bad
define i8 @src(i8 %x, i8 %y, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  %r = udiv i8 %x, %y
  ret i8 %r
b:
  ret i8 0
}
define i8 @tgt(i8 %x, i8 %y, i1 noundef %c) {
  %r = udiv i8 %x, %y
  %s = select i1 %c, i8 %r, i8 0
  ret i8 %s
}
