; WANT: bad
define i1 @src(i1 %x) {
  ret i1 %x
}
define i1 @tgt(i1 %x) {
  %a = sdiv i1 %x, true
  ret i1 %a
}
