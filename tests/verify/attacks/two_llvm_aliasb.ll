; WANT: bad
@x = internal global i32 1
@y = internal global i32 2
@llvm.al = alias i32, ptr @y
define i32 @f() {
  %r = load i32, ptr @llvm.al
  ret i32 %r
}
