; WANT: bad
declare i7 @llvm.fshl.i7(i7, i7, i7)
declare i7 @llvm.fshr.i7(i7, i7, i7)
define i7 @src(i7 noundef %x, i7 noundef %z) {
  %r = call i7 @llvm.fshl.i7(i7 %x, i7 %x, i7 %z)
  ret i7 %r
}
define i7 @tgt(i7 noundef %x, i7 noundef %z) {
  %m = sub i7 0, %z
  %r = call i7 @llvm.fshr.i7(i7 %x, i7 %x, i7 %m)
  ret i7 %r
}
