; WANT: ok
define i1 @src(i8 %x) {
  %r = icmp ult i8 %x, undef
  ret i1 %r
}
define i1 @tgt(i8 %x) {
  ret i1 false
}
