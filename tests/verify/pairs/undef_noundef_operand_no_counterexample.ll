; WANT: bad, unknown: is not modelled
declare i8 @llvm.umax.i8(i8, i8)
define i8 @src(i8 %x) {
  %r = call i8 @llvm.umax.i8(i8 noundef %x, i8 3)
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  ret i8 9
}
