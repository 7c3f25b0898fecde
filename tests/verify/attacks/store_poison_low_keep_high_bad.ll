; WANT: bad
define void @src(ptr %p) {
  store i8 poison, ptr %p, align 1
  ret void
}
define void @tgt(ptr %p) {
  store i8 poison, ptr %p, align 1
  %x = load i16, ptr %p, align 1
  store i16 %x, ptr %p, align 1
  ret void
}
