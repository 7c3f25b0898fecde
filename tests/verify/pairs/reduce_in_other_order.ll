; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define i16 @src(<8 x i16> %x) {
  %r = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %x)
  ret i16 %r
}

define i16 @tgt(<8 x i16> %x) {
  %y = shufflevector <8 x i16> %x, <8 x i16> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %r = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %y)
  ret i16 %r
}

declare i16 @llvm.vector.reduce.add.v8i16(<8 x i16>)
