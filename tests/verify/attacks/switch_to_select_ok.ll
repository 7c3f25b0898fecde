; WANT: ok
define i8 @src(i8 %x) {
  switch i8 %x, label %d [ i8 0, label %a
    i8 1, label %b ]
a:
  ret i8 5
b:
  ret i8 7
d:
  ret i8 9
}
define i8 @tgt(i8 %x) {
  %c = icmp eq i8 %x, 1
  %s = select i1 %c, i8 7, i8 9
  %d = icmp eq i8 %x, 0
  %t = select i1 %d, i8 5, i8 %s
  ret i8 %t
}
