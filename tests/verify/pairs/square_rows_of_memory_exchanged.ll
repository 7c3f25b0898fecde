; WANT: bad
define void @src(ptr noalias %m, ptr noalias %o) {
  %p00 = getelementptr i8, ptr %m, i64 0
  %l00 = load i16, ptr %p00, align 2
  %p01 = getelementptr i8, ptr %m, i64 8
  %l01 = load i16, ptr %p01, align 2
  %p02 = getelementptr i8, ptr %m, i64 16
  %l02 = load i16, ptr %p02, align 2
  %p03 = getelementptr i8, ptr %m, i64 24
  %l03 = load i16, ptr %p03, align 2
  %i00 = insertelement <4 x i16> poison, i16 %l00, i64 0
  %i01 = insertelement <4 x i16> %i00, i16 %l01, i64 1
  %i02 = insertelement <4 x i16> %i01, i16 %l02, i64 2
  %i03 = insertelement <4 x i16> %i02, i16 %l03, i64 3
  %p10 = getelementptr i8, ptr %m, i64 2
  %l10 = load i16, ptr %p10, align 2
  %p11 = getelementptr i8, ptr %m, i64 10
  %l11 = load i16, ptr %p11, align 2
  %p12 = getelementptr i8, ptr %m, i64 18
  %l12 = load i16, ptr %p12, align 2
  %p13 = getelementptr i8, ptr %m, i64 26
  %l13 = load i16, ptr %p13, align 2
  %i10 = insertelement <4 x i16> poison, i16 %l10, i64 0
  %i11 = insertelement <4 x i16> %i10, i16 %l11, i64 1
  %i12 = insertelement <4 x i16> %i11, i16 %l12, i64 2
  %i13 = insertelement <4 x i16> %i12, i16 %l13, i64 3
  %p20 = getelementptr i8, ptr %m, i64 4
  %l20 = load i16, ptr %p20, align 2
  %p21 = getelementptr i8, ptr %m, i64 12
  %l21 = load i16, ptr %p21, align 2
  %p22 = getelementptr i8, ptr %m, i64 20
  %l22 = load i16, ptr %p22, align 2
  %p23 = getelementptr i8, ptr %m, i64 28
  %l23 = load i16, ptr %p23, align 2
  %i20 = insertelement <4 x i16> poison, i16 %l20, i64 0
  %i21 = insertelement <4 x i16> %i20, i16 %l21, i64 1
  %i22 = insertelement <4 x i16> %i21, i16 %l22, i64 2
  %i23 = insertelement <4 x i16> %i22, i16 %l23, i64 3
  %p30 = getelementptr i8, ptr %m, i64 6
  %l30 = load i16, ptr %p30, align 2
  %p31 = getelementptr i8, ptr %m, i64 14
  %l31 = load i16, ptr %p31, align 2
  %p32 = getelementptr i8, ptr %m, i64 22
  %l32 = load i16, ptr %p32, align 2
  %p33 = getelementptr i8, ptr %m, i64 30
  %l33 = load i16, ptr %p33, align 2
  %i30 = insertelement <4 x i16> poison, i16 %l30, i64 0
  %i31 = insertelement <4 x i16> %i30, i16 %l31, i64 1
  %i32 = insertelement <4 x i16> %i31, i16 %l32, i64 2
  %i33 = insertelement <4 x i16> %i32, i16 %l33, i64 3
  %q0 = getelementptr i8, ptr %o, i64 0
  store <4 x i16> %i03, ptr %q0, align 2
  %q1 = getelementptr i8, ptr %o, i64 8
  store <4 x i16> %i13, ptr %q1, align 2
  %q2 = getelementptr i8, ptr %o, i64 16
  store <4 x i16> %i23, ptr %q2, align 2
  %q3 = getelementptr i8, ptr %o, i64 24
  store <4 x i16> %i33, ptr %q3, align 2
  ret void
}
define void @tgt(ptr noalias %m, ptr noalias %o) {
  %ga = getelementptr i8, ptr %m, i64 8
  %a = load <4 x i16>, ptr %ga, align 2
  %gb = getelementptr i8, ptr %m, i64 0
  %b = load <4 x i16>, ptr %gb, align 2
  %gc = getelementptr i8, ptr %m, i64 16
  %c = load <4 x i16>, ptr %gc, align 2
  %gd = getelementptr i8, ptr %m, i64 24
  %d = load <4 x i16>, ptr %gd, align 2
  %p = shufflevector <4 x i16> %a, <4 x i16> %c, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %q = shufflevector <4 x i16> %a, <4 x i16> %c, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %r = shufflevector <4 x i16> %b, <4 x i16> %d, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %s = shufflevector <4 x i16> %b, <4 x i16> %d, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %w = shufflevector <4 x i16> %p, <4 x i16> %r, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %x = shufflevector <4 x i16> %p, <4 x i16> %r, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %y = shufflevector <4 x i16> %q, <4 x i16> %s, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %z = shufflevector <4 x i16> %q, <4 x i16> %s, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %q0 = getelementptr i8, ptr %o, i64 0
  store <4 x i16> %w, ptr %q0, align 2
  %q1 = getelementptr i8, ptr %o, i64 8
  store <4 x i16> %x, ptr %q1, align 2
  %q2 = getelementptr i8, ptr %o, i64 16
  store <4 x i16> %y, ptr %q2, align 2
  %q3 = getelementptr i8, ptr %o, i64 24
  store <4 x i16> %z, ptr %q3, align 2
  ret void
}
