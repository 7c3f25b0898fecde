; WANT: bad
@llvm.mine = constant i32 2
define i32 @f() {
  %r = load i32, ptr @llvm.mine
  ret i32 %r
}
