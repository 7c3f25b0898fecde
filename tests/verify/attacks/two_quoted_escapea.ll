; WANT: bad
@"a\22b" = constant i32 1
@"a\25b" = constant i32 2
define i32 @f() {
  %r = load i32, ptr @"a\22b"
  ret i32 %r
}
