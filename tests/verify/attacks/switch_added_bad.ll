; WANT: bad
define i8 @src(i8 %x) {
  %c = icmp eq i8 %x, 1
  %s = select i1 %c, i8 7, i8 9
  ret i8 %s
}
define i8 @tgt(i8 %x) {
  switch i8 %x, label %d [ i8 1, label %a ]
a:
  ret i8 7
d:
  ret i8 9
}
