; WANT: bad
declare i16 @llvm.ctpop.i16(i16)
declare i32 @llvm.vector.reduce.add.v16i32(<16 x i32>)
define i32 @src(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp eq <16 x i8> %x, %y
  %k = bitcast <16 x i1> %c to i16
  %n = call i16 @llvm.ctpop.i16(i16 %k)
  %r = zext i16 %n to i32
  ret i32 %r
}
define i32 @tgt(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp eq <16 x i8> %x, %y
  %w = sext <16 x i1> %c to <16 x i32>
  %r = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %w)
  ret i32 %r
}
