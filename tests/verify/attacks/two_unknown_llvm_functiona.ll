; WANT: bad
declare i32 @llvm.foo.bar(i32)
define i32 @f(i32 %x) {
  %r = call i32 @llvm.foo.bar(i32 %x)
  ret i32 %r
}
