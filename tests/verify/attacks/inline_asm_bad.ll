; WANT: bad
define i32 @src() {
  %r = call i32 asm "mov $0, 1", "=r"()
  ret i32 %r
}
define i32 @tgt() {
  %r = call i32 asm sideeffect "mov $0, 1", "=r"()
  ret i32 %r
}
