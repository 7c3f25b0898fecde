; WANT: bad
@g = global i32 1, align 16
define i32 @f() {
  %r = load i32, ptr @g
  ret i32 %r
}
