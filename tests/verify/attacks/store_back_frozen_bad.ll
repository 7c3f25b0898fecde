; WANT: bad
define void @src(ptr %p) {
  %x = load i32, ptr %p, align 4
  %f = freeze i32 %x
  store i32 %f, ptr %p, align 4
  ret void
}
define void @tgt(ptr %p) {
  ret void
}
