; WANT: bad
declare void @llvm.trap()
define i8 @src(i8 %x) {
  call void @llvm.trap()
  unreachable
}
define i8 @tgt(i8 %x) {
  ret i8 %x
}
