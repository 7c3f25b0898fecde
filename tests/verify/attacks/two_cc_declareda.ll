; WANT: bad
declare fastcc i32 @g(i32)
define i32 @f(i32 %x) {
  %r = call fastcc i32 @g(i32 %x)
  ret i32 %r
}
