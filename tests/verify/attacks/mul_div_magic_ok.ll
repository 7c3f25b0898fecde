; WANT: ok
define i16 @src(i16 noundef %x) {
  %r = udiv i16 %x, 7
  ret i16 %r
}
define i16 @tgt(i16 noundef %x) {
  %z = zext i16 %x to i32
  %m = mul nuw i32 %z, 9363
  %h = lshr i32 %m, 16
  %t = trunc i32 %h to i16
  %d = sub i16 %x, %t
  %e = lshr i16 %d, 1
  %f = add i16 %e, %t
  %r = lshr i16 %f, 2
  ret i16 %r
}
