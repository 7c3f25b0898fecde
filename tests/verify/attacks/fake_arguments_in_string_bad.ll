; WANT: bad
define "@src(i32 noundef %x)" i32 @src(i32 %x) {
  %r = mul i32 %x, 3
  ret i32 %r
}
define "@tgt(i32 noundef %x)" i32 @tgt(i32 %x) {
  %a = add i32 %x, %x
  %r = add i32 %a, %x
  ret i32 %r
}
