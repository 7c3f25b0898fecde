; WANT: bad
declare "@g (" i32 @g(i32)
define "@f(" i32 @f(i32 %x) {
  %r = call i32 @g(i32 %x)
  ret i32 %r
}
