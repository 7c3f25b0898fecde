; WANT: bad, unknown: big-endian
target datalayout = "i64:64-E"
define i16 @src(<2 x i8> %x) {
  %r = bitcast <2 x i8> %x to i16
  ret i16 %r
}
define i16 @tgt(<2 x i8> %x) {
  %r = bitcast <2 x i8> %x to i16
  %s = add i16 %r, 0
  ret i16 %s
}
