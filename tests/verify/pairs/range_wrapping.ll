; WANT: ok
define i1 @src(i8 range(i8 -5, 5) %x) {
  %r = add i8 %x, 5
  %c = icmp ult i8 %r, 10
  ret i1 %c
}
define i1 @tgt(i8 range(i8 -5, 5) %x) {
  ret i1 true
}
