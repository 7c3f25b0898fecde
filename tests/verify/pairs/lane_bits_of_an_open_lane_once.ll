; WANT: ok
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
define i16 @src(<16 x i8> %x) {
  %c = icmp slt <16 x i8> %x, zeroinitializer
  %k = bitcast <16 x i1> %c to i16
  ret i16 %k
}
define i16 @tgt(<16 x i8> %x) {
  %k = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %x)
  %r = trunc i32 %k to i16
  ret i16 %r
}
