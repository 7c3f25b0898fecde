; WANT: ok
declare void @llvm.assume(i1)
define i32 @src(i32 noundef %x) {
  %c = icmp ult i32 %x, 256
  call void @llvm.assume(i1 %c)
  %r = and i32 %x, 255
  ret i32 %r
}
define i32 @tgt(i32 noundef %x) {
  ret i32 %x
}
