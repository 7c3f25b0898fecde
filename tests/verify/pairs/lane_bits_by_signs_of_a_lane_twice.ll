; WANT: bad
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
define i16 @src(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp eq <16 x i8> %x, %y
  %r = bitcast <16 x i1> %c to i16
  ret i16 %r
}
define i16 @tgt(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp eq <16 x i8> %x, %y
  %m0 = sext <16 x i1> %c to <16 x i8>
  %m = shufflevector <16 x i8> %m0, <16 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %k = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %m)
  %r = trunc i32 %k to i16
  ret i16 %r
}
