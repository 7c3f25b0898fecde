; WANT: ok
declare i7 @llvm.fshl.i7(i7, i7, i7)
define i7 @src(i7 %x, i7 %y) {
  %r = call i7 @llvm.fshl.i7(i7 %x, i7 %y, i7 10)
  ret i7 %r
}
define i7 @tgt(i7 %x, i7 %y) {
  %a = shl i7 %x, 3
  %b = lshr i7 %y, 4
  %r = or i7 %a, %b
  ret i7 %r
}
