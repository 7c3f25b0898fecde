; WANT: bad
declare i32 @g() #0
define i32 @f() {
  %r = call i32 @g()
  ret i32 %r
}
attributes #0 = { nounwind }
