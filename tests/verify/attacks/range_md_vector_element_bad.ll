; WANT: bad
define <2 x i8> @src(ptr %p) {
  %x = load <2 x i8>, ptr %p, align 1
  ret <2 x i8> %x
}
define <2 x i8> @tgt(ptr %p) {
  %x = load <2 x i8>, ptr %p, align 1, !range !0
  ret <2 x i8> %x
}
!0 = !{i8 0, i8 5}
