; WANT: ok
define i1 @src(i8 %x) {
  %a = trunc nuw i8 %x to i1
  ret i1 %a
}
define i1 @tgt(i8 %x) {
  %a = icmp ne i8 %x, 0
  ret i1 %a
}
