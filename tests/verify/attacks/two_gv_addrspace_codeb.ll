; WANT: bad
@g = internal global i32 1, section "y"
define i32 @f() {
  %r = load i32, ptr @g
  ret i32 %r
}
