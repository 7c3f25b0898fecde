; WANT: bad
define i8 @src(i8 %x) {
  %s = shl i8 %x, 1
  %f = freeze i8 %s
  ret i8 %f
}
define i8 @tgt(i8 %x) {
  %s = shl nuw i8 %x, 1
  %f = freeze i8 %s
  ret i8 %f
}
