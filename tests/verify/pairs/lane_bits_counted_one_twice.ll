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
  %d = shufflevector <16 x i1> %c, <16 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 7, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %w = zext <16 x i1> %d to <16 x i32>
  %r = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %w)
  ret i32 %r
}
