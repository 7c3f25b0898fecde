; WANT: bad
target datalayout = "e-p:64:64:64:32"
define i8 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4294967296
  store i8 1, ptr %p, align 1
  store i8 2, ptr %q, align 1
  ret i8 0
}
define i8 @tgt(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4294967296
  store i8 2, ptr %q, align 1
  store i8 1, ptr %p, align 1
  ret i8 0
}
