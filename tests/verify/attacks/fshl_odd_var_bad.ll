; WANT: bad
declare i7 @llvm.fshl.i7(i7, i7, i7)
define i7 @src(i7 %x, i7 %y, i7 %z) {
  %r = call i7 @llvm.fshl.i7(i7 %x, i7 %x, i7 %z)
  ret i7 %r
}
define i7 @tgt(i7 %x, i7 %y, i7 %z) {
  %m = and i7 %z, 6
  %r = call i7 @llvm.fshl.i7(i7 %x, i7 %x, i7 %m)
  ret i7 %r
}
