; WANT: bad
target datalayout = "e-i64:64"
define i32 @f(ptr %p) {
  %q = getelementptr {i32, i64}, ptr %p, i64 0, i32 1
  %r = load i32, ptr %q
  ret i32 %r
}
