; WANT: bad
declare i8 @llvm.umul.fix.i8(i8, i8, i32)
define i8 @src(i8 noundef %x) {
  ret i8 %x
}
define i8 @tgt(i8 noundef %x) {
  %a = call i8 @llvm.umul.fix.i8(i8 %x, i8 %x, i32 0)
  ret i8 %x
}
