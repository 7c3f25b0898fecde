; WANT: bad, unknown: was not shown to stay
define void @src(i32 %x) {
  %y = add i32 %x, %x
  call void @f(i32 %y)
  ret void
}
define void @tgt(i32 %x) {
  %y = shl i32 %x, 1
  tail call void @f(i32 %y)
  ret void
}
declare void @f(i32)
