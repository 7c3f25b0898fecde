; WANT: bad
declare i8 @llvm.dbg.x(ptr)
define i8 @src(i8 %x, ptr %p) {
  %d = call i8 @llvm.dbg.x(ptr null)
  ret i8 %x
}
define i8 @tgt(i8 %x, ptr %p) {
  %d = call i8 @llvm.dbg.x(ptr %p)
  ret i8 %x
}
