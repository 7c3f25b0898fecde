; WANT: bad
declare void @g(ptr)
define void @f(ptr %p) {
  call void @g(ptr %p)
  ret void
}
