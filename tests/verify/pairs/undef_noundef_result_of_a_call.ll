; WANT: bad, unknown: undef reaches
declare i8 @llvm.umax.i8(i8, i8)
define i8 @src(i8 noundef %x) {
  %r = call i8 @llvm.umax.i8(i8 %x, i8 undef)
  ret i8 %r
}
define i8 @tgt(i8 noundef %x) {
  %r = call noundef i8 @llvm.umax.i8(i8 %x, i8 undef)
  ret i8 %r
}
