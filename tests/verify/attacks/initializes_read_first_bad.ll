; WANT: bad
define i32 @src(ptr initializes((0, 4)) %p) {
  store i32 1, ptr %p, align 4
  ret i32 0
}
define i32 @tgt(ptr initializes((0, 4)) %p) {
  %x = load i32, ptr %p, align 4
  %f = freeze i32 %x
  store i32 1, ptr %p, align 4
  %r = sub i32 %f, %f
  ret i32 %r
}
