; WANT: bad
define i16 @src(i8 %x) {
  %v = insertelement <2 x i8> undef, i8 %x, i32 0
  %b = bitcast <2 x i8> %v to i16
  %r = and i16 %b, -256
  ret i16 %r
}
define i16 @tgt(i8 %x) {
  ret i16 1
}
