; WANT: bad
declare noundef i32 @llvm.foo.bar(i32) noreturn memory(none)
define i32 @f(i32 %x) {
  %r = call i32 @llvm.foo.bar(i32 %x)
  ret i32 %r
}
