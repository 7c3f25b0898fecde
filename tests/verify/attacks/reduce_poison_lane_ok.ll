; WANT: ok
declare i8 @llvm.vector.reduce.or.v2i8(<2 x i8>)
define i8 @src(i8 %x) {
  %v = insertelement <2 x i8> poison, i8 %x, i32 0
  %r = call i8 @llvm.vector.reduce.or.v2i8(<2 x i8> %v)
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  ret i8 poison
}
