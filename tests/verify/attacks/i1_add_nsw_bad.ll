; WANT: bad
define i1 @src(i1 %x, i1 %y) {
  %a = add i1 %x, %y
  ret i1 %a
}
define i1 @tgt(i1 %x, i1 %y) {
  %a = add nsw i1 %x, %y
  ret i1 %a
}
