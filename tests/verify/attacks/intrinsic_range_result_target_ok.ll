; WANT: ok
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
define i32 @src(<16 x i8> noundef %x) {
  %r = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %x)
  ret i32 %r
}
define i32 @tgt(<16 x i8> noundef %x) {
  %r = call range(i32 0, 65536) i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %x)
  ret i32 %r
}
