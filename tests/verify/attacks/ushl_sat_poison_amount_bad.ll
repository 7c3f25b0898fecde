; WANT: bad
declare i8 @llvm.ushl.sat.i8(i8, i8)
define i8 @src(i8 noundef %x) {
  %a = icmp eq i8 %x, 0
  %b = select i1 %a, i8 0, i8 -1
  ret i8 %b
}
define i8 @tgt(i8 noundef %x) {
  %a = call i8 @llvm.ushl.sat.i8(i8 %x, i8 8)
  ret i8 %a
}
