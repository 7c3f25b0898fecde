; WANT: bad
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
declare <16 x i8> @llvm.x86.sse2.packsswb.128(<8 x i16>, <8 x i16>)
define i16 @src(<8 x i16> noundef %x, <8 x i16> noundef %y, <8 x i16> noundef %z, <8 x i16> noundef %w) {
  %c = icmp sgt <8 x i16> %x, %y
  %d = icmp sgt <8 x i16> %z, %w
  %p = bitcast <8 x i1> %c to i8
  %q = bitcast <8 x i1> %d to i8
  %l = zext i8 %p to i16
  %u = zext i8 %q to i16
  %h = shl i16 %u, 8
  %r = or i16 %l, %h
  ret i16 %r
}
define i16 @tgt(<8 x i16> noundef %x, <8 x i16> noundef %y, <8 x i16> noundef %z, <8 x i16> noundef %w) {
  %c = icmp sgt <8 x i16> %x, %y
  %d = icmp sgt <8 x i16> %z, %w
  %cs = sext <8 x i1> %d to <8 x i16>
  %ds = sext <8 x i1> %c to <8 x i16>
  %m = call <16 x i8> @llvm.x86.sse2.packsswb.128(<8 x i16> %cs, <8 x i16> %ds)
  %k = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %m)
  %r = trunc i32 %k to i16
  ret i16 %r
}
