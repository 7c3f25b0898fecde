; WANT: bad
define i1 @src(i8 %x) {
  %f = freeze i8 %x
  %c = icmp uge i8 %f, 0
  ret i1 %c
}
define i1 @tgt(i8 %x) {
  %c = icmp uge i8 %x, 0
  ret i1 %c
}
