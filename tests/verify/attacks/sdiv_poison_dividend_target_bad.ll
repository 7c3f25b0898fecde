; WANT: bad
define i8 @src(i8 noundef %y, i1 noundef %c) {
  %z = icmp eq i8 %y, 0
  %n = icmp eq i8 %y, -1
  %o = or i1 %z, %n
  br i1 %o, label %a, label %b
a:
  ret i8 0
b:
  ret i8 1
}
define i8 @tgt(i8 noundef %y, i1 noundef %c) {
  %z = icmp eq i8 %y, 0
  br i1 %z, label %a, label %b
a:
  ret i8 0
b:
  %r = sdiv i8 poison, %y
  %n = icmp eq i8 %y, -1
  %o = select i1 %n, i8 0, i8 1
  ret i8 %o
}
