; WANT: ok
declare i1 @llvm.cttz.i1(i1, i1)
define i1 @src(i1 %x) {
  %a = call i1 @llvm.cttz.i1(i1 %x, i1 false)
  ret i1 %a
}
define i1 @tgt(i1 %x) {
  %a = xor i1 %x, true
  ret i1 %a
}
