; WANT: bad
@g = internal global i32 1, section "x"
define i32 @f() {
  %r = load i32, ptr @g
  ret i32 %r
}
