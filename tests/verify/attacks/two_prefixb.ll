; WANT: bad
define i32 @f() prefix i32 2 {
  ret i32 1
}
