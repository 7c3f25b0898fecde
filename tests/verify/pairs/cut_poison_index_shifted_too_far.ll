; WANT: bad, unknown: not shown to stay
target datalayout = "e-p:32:32"
define void @src(ptr %p, i32 %x, i32 %i, i8 %v) {
  %q = getelementptr i8, ptr %p, i32 %i
  store i8 %v, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p, i32 %x, i32 %i, i8 %v) {
  %z = shl i32 %i, 40
  %q0 = getelementptr i8, ptr %p, i32 %z
  %q = getelementptr i8, ptr %q0, i32 %i
  store i8 %v, ptr %q, align 1
  ret void
}
