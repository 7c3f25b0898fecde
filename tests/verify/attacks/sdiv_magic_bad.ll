; WANT: bad
define i16 @src(i16 noundef %x) {
  %r = sdiv i16 %x, 3
  ret i16 %r
}
define i16 @tgt(i16 noundef %x) {
  %z = sext i16 %x to i32
  %m = mul nsw i32 %z, 21846
  %h = lshr i32 %m, 16
  %t = trunc i32 %h to i16
  ret i16 %t
}
