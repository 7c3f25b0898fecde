; WANT: ok
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
define i8 @src(i8 %x) {
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  ret i8 %x
}
define i8 @tgt(i8 %x) {
  ret i8 %x
}
