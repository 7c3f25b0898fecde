; WANT: bad
declare i8 @llvm.ctlz.i8(i8, i1)
define i8 @src(i8 noundef %x) {
  %a = call i8 @llvm.ctlz.i8(i8 %x, i1 false)
  %r = and i8 %a, 7
  ret i8 %r
}
define i8 @tgt(i8 noundef %x) {
  %a = call i8 @llvm.ctlz.i8(i8 %x, i1 true)
  %r = and i8 %a, 7
  ret i8 %r
}
