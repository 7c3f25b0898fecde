; WANT: ok
declare {i8, i1} @llvm.uadd.with.overflow.i8(i8, i8)
define i8 @src(i8 %x, i8 %y) {
  %r = call {i8, i1} @llvm.uadd.with.overflow.i8(i8 %x, i8 %y)
  %e = extractvalue {i8, i1} %r, 0
  ret i8 %e
}
define i8 @tgt(i8 %x, i8 %y) {
  %e = add i8 %x, %y
  ret i8 %e
}
