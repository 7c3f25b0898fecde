; WANT: bad
define i64 @src(i64 noundef %x, i64 noundef %y) {
  %a = zext i64 %x to i128
  %b = zext i64 %y to i128
  %m = mul i128 %a, %b
  %h = lshr i128 %m, 64
  %r = trunc i128 %h to i64
  ret i64 %r
}
define i64 @tgt(i64 noundef %x, i64 noundef %y) {
  %a = lshr i64 %x, 32
  %b = lshr i64 %y, 32
  %r = mul i64 %a, %b
  ret i64 %r
}
