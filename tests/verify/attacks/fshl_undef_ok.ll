; WANT: ok
declare i8 @llvm.fshl.i8(i8, i8, i8)
define i8 @src(i8 %x) {
  %r = call i8 @llvm.fshl.i8(i8 %x, i8 undef, i8 0)
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  ret i8 %x
}
