; WANT: bad
; The product of an odd number with 1 by halves and by quarters need not be rounded alike.
declare i8 @llvm.smul.fix.i8(i8, i8, i32)
define i8 @src(i8 noundef %x) {
  ret i8 0
}
define i8 @tgt(i8 noundef %x) {
  %x7 = and i8 %x, 7
  %o = or i8 %x7, 1
  %a = call i8 @llvm.smul.fix.i8(i8 %o, i8 1, i32 1)
  %b = call i8 @llvm.smul.fix.i8(i8 %o, i8 1, i32 2)
  %p = or i8 %o, 0
  %ah = lshr i8 %o, 1
  %bh = lshr i8 %p, 2
  %au = sub i8 %a, %ah
  %bu = sub i8 %b, %bh
  %r = xor i8 %au, %bu
  ret i8 %r
}
