; WANT: ok
define <8 x i8> @src(<8 x i16> noundef %v, i8 noundef %l, i8 noundef %h) {
  %x = sext <8 x i16> %v to <8 x i32>
  %l.w = zext i8 %l to i32
  %h.w = zext i8 %h to i32
  %lo.i = insertelement <8 x i32> poison, i32 %l.w, i64 0
  %lo = shufflevector <8 x i32> %lo.i, <8 x i32> poison, <8 x i32> zeroinitializer
  %hi.i = insertelement <8 x i32> poison, i32 %h.w, i64 0
  %hi = shufflevector <8 x i32> %hi.i, <8 x i32> poison, <8 x i32> zeroinitializer
  %c = icmp slt <8 x i32> %x, %lo
  %m = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %x, <8 x i32> %hi)
  %n = select <8 x i1> %c, <8 x i32> %lo, <8 x i32> %m
  %r = trunc <8 x i32> %n to <8 x i8>
  ret <8 x i8> %r
}
define <8 x i8> @tgt(<8 x i16> noundef %v, i8 noundef %l, i8 noundef %h) {
  %c0 = call <8 x i16> @llvm.smax.v8i16(<8 x i16> %v, <8 x i16> zeroinitializer)
  %c1 = call <8 x i16> @llvm.smin.v8i16(<8 x i16> %c0, <8 x i16> splat (i16 255))
  %s = trunc <8 x i16> %c1 to <8 x i8>
  %lo.i = insertelement <8 x i8> poison, i8 %l, i64 0
  %lo = shufflevector <8 x i8> %lo.i, <8 x i8> poison, <8 x i32> zeroinitializer
  %hi.i = insertelement <8 x i8> poison, i8 %h, i64 0
  %hi = shufflevector <8 x i8> %hi.i, <8 x i8> poison, <8 x i32> zeroinitializer
  %c = icmp ult <8 x i8> %s, %lo
  %m = call <8 x i8> @llvm.umin.v8i8(<8 x i8> %s, <8 x i8> %hi)
  %r = select <8 x i1> %c, <8 x i8> %lo, <8 x i8> %m
  ret <8 x i8> %r
}
