; WANT: bad
declare i8 @llvm.smul.fix.sat.i8(i8, i8, i32)
define i8 @src(i8 %x, i8 %y, i1 %c) {
  %a = call i8 @llvm.smul.fix.sat.i8(i8 %x, i8 %y, i32 3)
  ret i8 %a
}
define i8 @tgt(i8 %x, i8 %y, i1 %c) {
  %a = call i8 @llvm.smul.fix.sat.i8(i8 noundef %x, i8 noundef %y, i32 3)
  ret i8 %a
}
