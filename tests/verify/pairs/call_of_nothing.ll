; WANT: ok
declare void @llvm.donothing()
define i8 @src(i8 %x) {
  call void @llvm.donothing()
  ret i8 %x
}
define i8 @tgt(i8 %x) {
  %r = or i8 %x, 0
  ret i8 %r
}
