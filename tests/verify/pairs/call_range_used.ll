; WANT: ok
declare i8 @llvm.ctpop.i8(i8)
define i8 @src(i8 %x) {
  %r = call range(i8 0, 4) i8 @llvm.ctpop.i8(i8 %x)
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  %c = call i8 @llvm.ctpop.i8(i8 %x)
  %r = and i8 %c, 3
  ret i8 %r
}
