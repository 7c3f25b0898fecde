; WANT: bad
@llvm.mine = constant i32 1
define i32 @f() {
  %r = load i32, ptr @llvm.mine
  ret i32 %r
}
