; WANT: bad
define void @src(ptr initializes((0, 4)) %p) {
  store i32 poison, ptr %p, align 4
  ret void
}
define void @tgt(ptr initializes((0, 4)) %p) {
  ret void
}
