; WANT: ok
define i8 @src(ptr %p, i8 %u) {
  store i8 %u, ptr %p, align 1
  ret i8 %u
}
define i8 @tgt(ptr %p, i8 %u) {
  %f = freeze i8 %u
  store i8 %f, ptr %p, align 1
  ret i8 %f
}
