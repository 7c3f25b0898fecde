; WANT: ok
declare i1 @llvm.smin.i1(i1, i1)
define i1 @src(i1 noundef %x, i1 noundef %y) {
  %a = call i1 @llvm.smin.i1(i1 %x, i1 %y)
  ret i1 %a
}
define i1 @tgt(i1 noundef %x, i1 noundef %y) {
  %a = or i1 %x, %y
  ret i1 %a
}
