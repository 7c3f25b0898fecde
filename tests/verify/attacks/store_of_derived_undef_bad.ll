; WANT: bad
define void @src(ptr %p, i8 %u) {
  %z = zext i8 %u to i16
  %m = mul i16 %z, 257
  %v = bitcast i16 %m to <2 x i8>
  store <2 x i8> %v, ptr %p, align 1
  ret void
}
define void @tgt(ptr %p, i8 %u) {
  %s = insertelement <2 x i8> poison, i8 %u, i32 0
  %v = insertelement <2 x i8> %s, i8 %u, i32 1
  store <2 x i8> %v, ptr %p, align 1
  ret void
}
