; WANT: ok
declare i1 @llvm.abs.i1(i1, i1)
define i1 @src(i1 noundef %x) {
  %a = call i1 @llvm.abs.i1(i1 %x, i1 false)
  ret i1 %a
}
define i1 @tgt(i1 noundef %x) {
  ret i1 %x
}
