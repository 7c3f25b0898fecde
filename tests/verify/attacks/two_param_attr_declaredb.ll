; WANT: bad
declare void @g(ptr nocapture readonly)
define void @f(ptr %p) {
  call void @g(ptr %p)
  ret void
}
