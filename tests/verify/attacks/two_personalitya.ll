; WANT: bad
declare i32 @pa(...)
declare i32 @pb(...)
define i32 @f() personality ptr @pa {
  ret i32 1
}
