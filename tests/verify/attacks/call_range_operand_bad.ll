; WANT: bad
declare i8 @llvm.umin.i8(i8, i8)
define i8 @src(i8 %x, i8 %y) {
  %r = call i8 @llvm.umin.i8(i8 %x, i8 %y)
  ret i8 %r
}
define i8 @tgt(i8 %x, i8 %y) {
  %r = call i8 @llvm.umin.i8(i8 range(i8 0, 5) %x, i8 %y)
  ret i8 %r
}
