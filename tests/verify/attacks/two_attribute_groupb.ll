; WANT: bad
define i32 @f(i32 %x) #0 {
  %r = call i32 @g(i32 %x) #1
  ret i32 %r
}
declare i32 @g(i32)
attributes #0 = { nounwind }
attributes #1 = { memory(none) nounwind }
