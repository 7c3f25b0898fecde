; WANT: ok
define i16 @src(i8 noundef %x) {
  %v = insertelement <2 x i8> undef, i8 %x, i32 0
  %b = bitcast <2 x i8> %v to i16
  ret i16 %b
}
define i16 @tgt(i8 noundef %x) {
  %z = zext i8 %x to i16
  ret i16 %z
}
