; WANT: bad
define i32 @f() prefix i32 1 {
  ret i32 1
}
