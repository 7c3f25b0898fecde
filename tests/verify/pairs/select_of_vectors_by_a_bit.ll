; WANT: ok
; One bit chooses all lanes.
define <2 x i8> @src(i1 noundef %c, <2 x i8> %x, <2 x i8> %y) {
  %r = select i1 %c, <2 x i8> %x, <2 x i8> %y
  ret <2 x i8> %r
}
define <2 x i8> @tgt(i1 noundef %c, <2 x i8> %x, <2 x i8> %y) {
  %i = insertelement <2 x i1> poison, i1 %c, i64 0
  %s = shufflevector <2 x i1> %i, <2 x i1> poison, <2 x i32> zeroinitializer
  %r = select <2 x i1> %s, <2 x i8> %x, <2 x i8> %y
  ret <2 x i8> %r
}
