; WANT: ok
declare i8 @llvm.ucmp.i8.i32(i32, i32)
define i8 @src(i32 noundef %x, i32 noundef %y) {
  %a = icmp ugt i32 %x, %y
  %b = icmp ult i32 %x, %y
  %c = zext i1 %a to i8
  %d = zext i1 %b to i8
  %r = sub i8 %c, %d
  ret i8 %r
}
define i8 @tgt(i32 noundef %x, i32 noundef %y) {
  %r = call i8 @llvm.ucmp.i8.i32(i32 %x, i32 %y)
  ret i8 %r
}
