; WANT: bad, unknown: is not kept
define i32 @src(ptr initializes((0, 4)) %p) {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define i32 @tgt(ptr initializes((0, 4)) %p) {
  ret i32 0
}
