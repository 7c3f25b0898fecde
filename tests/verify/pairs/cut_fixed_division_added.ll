; WANT: bad, unknown: may be undefined behaviour
declare i32 @llvm.udiv.fix.i32(i32, i32, i32 immarg)
define i32 @src(ptr %p, i64 %i, i32 %x, i32 %y) {
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
define i32 @tgt(ptr %p, i64 %i, i32 %x, i32 %y) {
  %d = call i32 @llvm.udiv.fix.i32(i32 %x, i32 %y, i32 2)
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
