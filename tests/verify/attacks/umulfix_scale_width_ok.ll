; WANT: ok
declare i8 @llvm.umul.fix.i8(i8, i8, i32)
define i8 @src(i8 noundef %x) {
  %a = call i8 @llvm.umul.fix.i8(i8 %x, i8 16, i32 8)
  %r = icmp ult i8 %a, 17
  %z = zext i1 %r to i8
  ret i8 %z
}
define i8 @tgt(i8 noundef %x) {
  ret i8 1
}
