; WANT: ok
declare i8 @llvm.sshl.sat.i8(i8, i8)
define i8 @src(i8 noundef %x) {
  %a = call i8 @llvm.sshl.sat.i8(i8 %x, i8 1)
  ret i8 %a
}
define i8 @tgt(i8 noundef %x) {
  %a = call i8 @llvm.sadd.sat.i8(i8 %x, i8 %x)
  ret i8 %a
}
declare i8 @llvm.sadd.sat.i8(i8, i8)
