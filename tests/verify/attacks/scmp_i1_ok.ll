; WANT: ok
declare i2 @llvm.scmp.i2.i1(i1, i1)
define i2 @src(i1 noundef %x, i1 noundef %y) {
  %c = sext i1 %x to i2
  %d = sext i1 %y to i2
  %r = sub i2 %c, %d
  ret i2 %r
}
define i2 @tgt(i1 noundef %x, i1 noundef %y) {
  %r = call i2 @llvm.scmp.i2.i1(i1 %x, i1 %y)
  ret i2 %r
}
