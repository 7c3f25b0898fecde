; WANT: ok
; Products of two different freezes are rounded each by itself: the second one down.
declare i8 @llvm.smul.fix.i8(i8, i8, i32)
define <2 x i8> @src(i8 %x, i8 %y) {
  %f = freeze i8 %x
  %g = freeze i8 %y
  %a = call i8 @llvm.smul.fix.i8(i8 %f, i8 3, i32 1)
  %b = call i8 @llvm.smul.fix.i8(i8 %g, i8 3, i32 1)
  %v = insertelement <2 x i8> poison, i8 %a, i64 0
  %r = insertelement <2 x i8> %v, i8 %b, i64 1
  ret <2 x i8> %r
}
define <2 x i8> @tgt(i8 %x, i8 %y) {
  %f = freeze i8 %x
  %g = freeze i8 %y
  %a = call i8 @llvm.smul.fix.i8(i8 %f, i8 3, i32 1)
  %w = sext i8 %g to i16
  %m = mul i16 %w, 3
  %s = ashr i16 %m, 1
  %b = trunc i16 %s to i8
  %v = insertelement <2 x i8> poison, i8 %a, i64 0
  %r = insertelement <2 x i8> %v, i8 %b, i64 1
  ret <2 x i8> %r
}
