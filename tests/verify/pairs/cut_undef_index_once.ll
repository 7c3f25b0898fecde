; WANT: ok
define ptr @src(ptr %p, i64 %x) {
  %d = add i64 %x, %x
  %q = getelementptr i8, ptr %p, i64 %d
  ret ptr %q
}
define ptr @tgt(ptr %p, i64 %x) {
  %d = shl i64 %x, 1
  %q = getelementptr i8, ptr %p, i64 %d
  ret ptr %q
}
