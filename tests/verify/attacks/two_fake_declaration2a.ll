; WANT: bad
declare i32 @g(i32)
declare "@g(" i32 @llvm.foo()
define i32 @f(i32 %x) {
  %r = call i32 @g(i32 %x)
  ret i32 %r
}
