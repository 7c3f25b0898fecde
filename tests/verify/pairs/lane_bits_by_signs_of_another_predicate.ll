; WANT: bad
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
define i16 @src(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp eq <16 x i8> %x, %y
  %r = bitcast <16 x i1> %c to i16
  ret i16 %r
}
define i16 @tgt(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp ne <16 x i8> %x, %y
  %m = sext <16 x i1> %c to <16 x i8>
  %k = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %m)
  %r = trunc i32 %k to i16
  ret i16 %r
}
