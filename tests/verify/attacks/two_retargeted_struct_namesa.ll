; WANT: bad
%A = type { i8, i32 }
%B = type { i8, i8 }
define i32 @f(ptr %p) {
  %q = getelementptr %A, ptr %p, i64 0, i32 1
  %r = load i32, ptr %q, align 1
  %s = add i32 %r, 0
  ret i32 %s
}
