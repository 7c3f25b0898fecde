; WANT: bad
declare void @llvm.donothing()
define i8 @src(i8 %x) {
  ret i8 %x
}
define i8 @tgt(i8 %x) {
  call void @llvm.donothing() noreturn
  ret i8 %x
}
