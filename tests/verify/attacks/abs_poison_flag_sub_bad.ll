; WANT: bad
declare i8 @llvm.abs.i8(i8, i1)
define i8 @src(i8 %x) {
  %a = call i8 @llvm.abs.i8(i8 %x, i1 false)
  %b = and i8 %a, 127
  ret i8 %b
}
define i8 @tgt(i8 %x) {
  %a = call i8 @llvm.abs.i8(i8 %x, i1 true)
  %b = and i8 %a, 127
  ret i8 %b
}
