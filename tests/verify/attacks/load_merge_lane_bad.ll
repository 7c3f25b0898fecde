; WANT: bad
define <2 x i8> @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr %q, align 1
  %c = insertelement <2 x i8> poison, i8 %a, i32 0
  %d = insertelement <2 x i8> %c, i8 %b, i32 1
  ret <2 x i8> %d
}
define <2 x i8> @tgt(ptr %p) {
  %r = load i16, ptr %p, align 1
  %b = bitcast i16 %r to <2 x i8>
  ret <2 x i8> %b
}
