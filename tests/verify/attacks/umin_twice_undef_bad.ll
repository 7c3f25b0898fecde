; WANT: bad
declare i8 @llvm.umin.i8(i8, i8)
define i8 @src(i8 %x) {
  %r = call i8 @llvm.umin.i8(i8 %x, i8 7)
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  %c = icmp ult i8 %x, 7
  %r = select i1 %c, i8 %x, i8 7
  ret i8 %r
}
