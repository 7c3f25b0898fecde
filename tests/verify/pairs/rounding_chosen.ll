; WANT: ok
declare i16 @llvm.smul.fix.i16(i16, i16, i32)
define i16 @src(i16 noundef range(i16 0, 99) %x, i16 noundef range(i16 0, 99) %y) {
  %r = call i16 @llvm.smul.fix.i16(i16 %x, i16 %y, i32 3)
  ret i16 %r
}
define i16 @tgt(i16 noundef range(i16 0, 99) %x, i16 noundef range(i16 0, 99) %y) {
  %a = sext i16 %x to i32
  %b = sext i16 %y to i32
  %m = mul i32 %a, %b
  %s = ashr i32 %m, 3
  %r = trunc i32 %s to i16
  ret i16 %r
}
