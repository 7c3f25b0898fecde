; WANT: ok
declare i32 @g(i32)
define i32 @src(i32 %x) #0 {
  %r = call i32 @g(i32 %x)
  ret i32 %r
}
define i32 @tgt(i32 %x) #1 {
  %r = call i32 @g(i32 %x)
  ret i32 %r
}
attributes #0 = { nounwind "a"="b" }
attributes #1 = { nounwind "a"="b" }
