; WANT: ok
define void @src(ptr %p, i8 %x) {
  %v = insertelement <2 x i8> poison, i8 %x, i32 0
  store <2 x i8> %v, ptr %p, align 1
  ret void
}
define void @tgt(ptr %p, i8 %x) {
  store i8 %x, ptr %p, align 1
  ret void
}
