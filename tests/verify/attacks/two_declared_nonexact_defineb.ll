; WANT: bad
define i32 @g() #0 {
  ret i32 1
}
define i32 @f() {
  %r = call i32 @g()
  ret i32 %r
}
attributes #0 = { nounwind willreturn }
