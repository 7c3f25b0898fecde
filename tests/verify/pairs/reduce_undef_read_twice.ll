; WANT: bad
target triple = "x86_64-pc-linux-gnu"

define i16 @src(<8 x i16> %x) {
  %r = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %x)
  ret i16 %r
}

define i16 @tgt(<8 x i16> %x) {
  %a = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %x)
  %y = shl <8 x i16> %x, splat (i16 1)
  %b = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %y)
  %r = sub i16 %b, %a
  ret i16 %r
}

declare i16 @llvm.vector.reduce.add.v8i16(<8 x i16>)
