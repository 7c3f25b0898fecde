; WANT: bad, unknown: not understood
define i32 @src(i32 %x) strictfp {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @tgt(i32 %x) strictfp nounwind {
  ret i32 %x
}
