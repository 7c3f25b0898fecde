; WANT: bad
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
define i16 @src(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp eq <16 x i8> %x, %y
  %r = bitcast <16 x i1> %c to i16
  ret i16 %r
}
define i16 @tgt(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %xw = bitcast <16 x i8> %x to <8 x i16>
  %yw = bitcast <16 x i8> %y to <8 x i16>
  %c = icmp eq <8 x i16> %xw, %yw
  %w = sext <8 x i1> %c to <8 x i16>
  %m = bitcast <8 x i16> %w to <16 x i8>
  %k = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %m)
  %r = trunc i32 %k to i16
  ret i16 %r
}
