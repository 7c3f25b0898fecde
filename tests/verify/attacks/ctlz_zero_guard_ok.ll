; WANT: ok
declare i8 @llvm.ctlz.i8(i8, i1)
define i8 @src(i8 noundef %x) {
  %c = icmp eq i8 %x, 0
  %a = call i8 @llvm.ctlz.i8(i8 %x, i1 true)
  %r = select i1 %c, i8 8, i8 %a
  ret i8 %r
}
define i8 @tgt(i8 noundef %x) {
  %a = call i8 @llvm.ctlz.i8(i8 %x, i1 false)
  ret i8 %a
}
