; WANT: bad
declare void @llvm.donothing.x(ptr)
define i8 @src(i8 %x, ptr %p) {
  ret i8 %x
}
define i8 @tgt(i8 %x, ptr %p) {
  call void @llvm.donothing.x(ptr %p)
  ret i8 %x
}
