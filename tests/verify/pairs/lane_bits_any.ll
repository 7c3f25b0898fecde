; WANT: ok
declare i1 @llvm.vector.reduce.or.v16i1(<16 x i1>)
define i1 @src(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp eq <16 x i8> %x, %y
  %k = bitcast <16 x i1> %c to i16
  %r = icmp ne i16 %k, 0
  ret i1 %r
}
define i1 @tgt(<16 x i8> noundef %x, <16 x i8> noundef %y) {
  %c = icmp eq <16 x i8> %x, %y
  %r = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %c)
  ret i1 %r
}
