; WANT: ok
define <8 x i8> @src(<8 x i16> noundef %v) {
  %m = call <8 x i16> @llvm.smax.v8i16(<8 x i16> %v, <8 x i16> splat (i16 -118))
  %n = call <8 x i16> @llvm.smin.v8i16(<8 x i16> %m, <8 x i16> splat (i16 129))
  %t = trunc <8 x i16> %n to <8 x i8>
  %r = add <8 x i8> %t, splat (i8 121)
  ret <8 x i8> %r
}
define <8 x i8> @tgt(<8 x i16> noundef %v) {
  %w = sext <8 x i16> %v to <8 x i32>
  %a = add <8 x i32> %w, splat (i32 121)
  %m = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %a, <8 x i32> splat (i32 3))
  %n = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %m, <8 x i32> splat (i32 250))
  %r = trunc <8 x i32> %n to <8 x i8>
  ret <8 x i8> %r
}
