; WANT: ok
declare <8 x i16> @llvm.cttz.v8i16(<8 x i16>, i1)
declare <8 x i16> @llvm.ctpop.v8i16(<8 x i16>)
define <8 x i16> @src(<8 x i16> %a) {
  %r = call <8 x i16> @llvm.cttz.v8i16(<8 x i16> %a, i1 false)
  ret <8 x i16> %r
}
define <8 x i16> @tgt(<8 x i16> %a) {
  %f = freeze <8 x i16> %a
  %n = sub <8 x i16> %f, splat (i16 1)
  %x = xor <8 x i16> %f, splat (i16 -1)
  %m = and <8 x i16> %x, %n
  %r = call <8 x i16> @llvm.ctpop.v8i16(<8 x i16> %m)
  ret <8 x i16> %r
}
