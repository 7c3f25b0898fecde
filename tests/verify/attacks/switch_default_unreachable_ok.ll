; WANT: ok
define i8 @src(i8 %x) {
  switch i8 %x, label %d [ i8 0, label %a
    i8 1, label %b ]
a:
  ret i8 5
b:
  ret i8 6
d:
  unreachable
}
define i8 @tgt(i8 noundef %x) {
  %t = add i8 %x, 5
  ret i8 %t
}
