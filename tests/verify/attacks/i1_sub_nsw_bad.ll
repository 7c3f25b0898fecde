; WANT: bad
define i1 @src(i1 noundef %x) {
  %a = sub i1 0, %x
  ret i1 %a
}
define i1 @tgt(i1 noundef %x) {
  %a = sub nsw i1 0, %x
  ret i1 %a
}
