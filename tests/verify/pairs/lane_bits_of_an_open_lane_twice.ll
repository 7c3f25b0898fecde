; WANT: bad
define i16 @src(<16 x i8> %x) {
  %c = icmp slt <16 x i8> %x, zeroinitializer
  %k = bitcast <16 x i1> %c to i16
  %a = and i16 %k, 1
  %r = mul i16 %a, 3
  ret i16 %r
}
define i16 @tgt(<16 x i8> %x) {
  %c = icmp slt <16 x i8> %x, zeroinitializer
  %k = bitcast <16 x i1> %c to i16
  %a = and i16 %k, 1
  %d = icmp slt <16 x i8> %x, zeroinitializer
  %l = bitcast <16 x i1> %d to i16
  %b = and i16 %l, 1
  %e = shl i16 %b, 1
  %r = or i16 %a, %e
  ret i16 %r
}
