; WANT: ok
declare i8 @llvm.smul.fix.i8(i8, i8, i32)
define i8 @src() {
  %a = call i8 @llvm.smul.fix.i8(i8 127, i8 127, i32 1)
  ret i8 %a
}
define i8 @tgt() {
  ret i8 0
}
