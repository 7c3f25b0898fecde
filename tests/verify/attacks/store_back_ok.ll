; WANT: ok
define void @src(ptr %p) {
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %p, align 4
  ret void
}
define void @tgt(ptr %p) {
  ret void
}
