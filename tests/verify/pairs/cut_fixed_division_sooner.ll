; WANT: bad, unknown: may be undefined behaviour
declare i32 @llvm.udiv.fix.i32(i32, i32, i32 immarg)
declare void @f()
define i32 @src(i32 %x, i32 %y) {
  call void @f()
  %d = call i32 @llvm.udiv.fix.i32(i32 %x, i32 %y, i32 2)
  ret i32 %d
}
define i32 @tgt(i32 %x, i32 %y) {
  %d = call i32 @llvm.udiv.fix.i32(i32 %x, i32 %y, i32 2)
  call void @f()
  ret i32 %d
}
