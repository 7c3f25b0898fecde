; WANT: ok
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
define i8 @src(i8 noundef %x, i8 noundef %z) {
  %r = call i8 @llvm.fshl.i8(i8 %x, i8 %x, i8 %z)
  ret i8 %r
}
define i8 @tgt(i8 noundef %x, i8 noundef %z) {
  %m = sub i8 0, %z
  %r = call i8 @llvm.fshr.i8(i8 %x, i8 %x, i8 %m)
  ret i8 %r
}
