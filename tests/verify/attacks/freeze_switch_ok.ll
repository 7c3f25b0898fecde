; WANT: ok
define i8 @src(i8 noundef %x) {
  switch i8 %x, label %d [ i8 0, label %a
    i8 1, label %a
    i8 2, label %b ]
a:
  br label %e
b:
  br label %e
d:
  br label %e
e:
  %p = phi i8 [ 4, %a ], [ 6, %b ], [ 9, %d ]
  ret i8 %p
}
define i8 @tgt(i8 noundef %x) {
  %c = icmp ult i8 %x, 2
  %d = icmp eq i8 %x, 2
  %s = select i1 %d, i8 6, i8 9
  %t = select i1 %c, i8 4, i8 %s
  ret i8 %t
}
