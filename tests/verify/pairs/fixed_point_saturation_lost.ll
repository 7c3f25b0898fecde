; WANT: bad
declare <4 x i16> @llvm.smul.fix.v4i16(<4 x i16>, <4 x i16>, i32)
declare <4 x i16> @llvm.smul.fix.sat.v4i16(<4 x i16>, <4 x i16>, i32)
define <4 x i16> @src(<4 x i16> noundef %a, <4 x i16> noundef %b) {
  %r = call <4 x i16> @llvm.smul.fix.sat.v4i16(<4 x i16> %a, <4 x i16> %b, i32 15)
  ret <4 x i16> %r
}
define <4 x i16> @tgt(<4 x i16> noundef %a, <4 x i16> noundef %b) {
  %r = call <4 x i16> @llvm.smul.fix.v4i16(<4 x i16> %a, <4 x i16> %b, i32 15)
  ret <4 x i16> %r
}
