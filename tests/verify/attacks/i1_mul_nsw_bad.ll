; WANT: bad
define i1 @src(i1 %x, i1 %y) {
  %a = and i1 %x, %y
  ret i1 %a
}
define i1 @tgt(i1 %x, i1 %y) {
  %a = mul nsw i1 %x, %y
  ret i1 %a
}
