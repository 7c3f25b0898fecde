; WANT: bad
define i1 @src(i8 %x) {
  %a = trunc nsw i8 %x to i1
  ret i1 %a
}
define i1 @tgt(i8 %x) {
  %a = icmp eq i8 %x, 1
  ret i1 %a
}
