; WANT: bad
@g = thread_local(initialexec) global i32 1
define i32 @f() {
  %r = load i32, ptr @g
  ret i32 %r
}
