; WANT: bad
declare void @llvm.assume(i1)
define i8 @src(i8 %x, i1 %c) {
  %f = freeze i1 %c
  ret i8 %x
}
define i8 @tgt(i8 %x, i1 %c) {
  %f = or i1 %c, true
  call void @llvm.assume(i1 noundef %f)
  ret i8 %x
}
