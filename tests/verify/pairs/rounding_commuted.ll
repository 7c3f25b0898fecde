; WANT: ok
declare i16 @llvm.smul.fix.i16(i16, i16, i32)
define i16 @src(i16 noundef range(i16 0, 99) %x, i16 noundef range(i16 0, 99) %y) {
  %r = call i16 @llvm.smul.fix.i16(i16 %x, i16 %y, i32 3)
  ret i16 %r
}
define i16 @tgt(i16 noundef range(i16 0, 99) %x, i16 noundef range(i16 0, 99) %y) {
  %r = call i16 @llvm.smul.fix.i16(i16 %y, i16 %x, i32 3)
  ret i16 %r
}
