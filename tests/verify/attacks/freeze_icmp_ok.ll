; WANT: ok
define i1 @src(i8 %x) {
  %c = icmp eq i8 %x, 3
  %f = freeze i1 %c
  ret i1 %f
}
define i1 @tgt(i8 %x) {
  %f = freeze i8 %x
  %c = icmp eq i8 %f, 3
  ret i1 %c
}
