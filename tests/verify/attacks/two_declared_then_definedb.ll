; WANT: bad
define i32 @g() {
  unreachable
}
define i32 @f() {
  %r = call i32 @g()
  ret i32 %r
}
