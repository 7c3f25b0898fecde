; WANT: bad, unknown: may be undefined behaviour
declare i32 @llvm.umin.i32(i32, i32)
declare void @f()
define i32 @src(i32 %x, i32 %y) {
  call void @f()
  %z = add i32 %y, %y
  %d = call noundef i32 @llvm.umin.i32(i32 %x, i32 %z)
  ret i32 %d
}
define i32 @tgt(i32 %x, i32 %y) {
  %z = shl i32 %y, 1
  %d = call noundef i32 @llvm.umin.i32(i32 %x, i32 %z)
  call void @f()
  ret i32 %d
}
