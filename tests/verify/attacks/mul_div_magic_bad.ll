; WANT: bad
define i16 @src(i16 noundef %x) {
  %r = udiv i16 %x, 7
  ret i16 %r
}
define i16 @tgt(i16 noundef %x) {
  %z = zext i16 %x to i32
  %m = mul nuw i32 %z, 37449
  %h = lshr i32 %m, 18
  %t = trunc i32 %h to i16
  ret i16 %t
}
