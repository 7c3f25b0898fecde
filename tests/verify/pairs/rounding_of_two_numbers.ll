; WANT: bad
; Two odd numbers need not be rounded alike, also where both are freezes of poison.
declare i8 @llvm.smul.fix.i8(i8, i8, i32)
define i8 @src() {
  ret i8 0
}
define i8 @tgt() {
  %f = freeze i8 poison
  %g = freeze i8 poison
  %f7 = and i8 %f, 7
  %g7 = and i8 %g, 7
  %fo = or i8 %f7, 1
  %go = or i8 %g7, 1
  %a = call i8 @llvm.smul.fix.i8(i8 %fo, i8 1, i32 1)
  %b = call i8 @llvm.smul.fix.i8(i8 %go, i8 1, i32 1)
  %fh = lshr i8 %fo, 1
  %gh = lshr i8 %go, 1
  %au = sub i8 %a, %fh
  %bu = sub i8 %b, %gh
  %r = xor i8 %au, %bu
  ret i8 %r
}
