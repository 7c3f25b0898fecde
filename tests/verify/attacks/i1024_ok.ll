; WANT: ok
define i1024 @src(i1024 noundef %x) {
  %a = shl i1024 %x, 1
  %b = add i1024 %a, %x
  ret i1024 %b
}
define i1024 @tgt(i1024 noundef %x) {
  %b = mul i1024 %x, 3
  ret i1024 %b
}
