; WANT: bad, unknown: sideeffect
declare void @llvm.sideeffect()
define i32 @src(i32 %x) {
  call void @llvm.sideeffect()
  ret i32 %x
}
define i32 @tgt(i32 %x) {
  ret i32 %x
}
