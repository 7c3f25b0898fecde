; WANT: bad
declare i16 @llvm.bswap.i16(i16)
define void @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr %q, align 1
  store i8 %b, ptr %p, align 1
  store i8 %a, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p) {
  %v = load i16, ptr %p, align 1
  %s = call i16 @llvm.bswap.i16(i16 %v)
  store i16 %s, ptr %p, align 1
  ret void
}
