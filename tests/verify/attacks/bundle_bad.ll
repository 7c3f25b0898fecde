; WANT: bad
declare void @g()
define void @src() {
  call void @g() [ "deopt"(i32 1) ]
  ret void
}
define void @tgt() {
  call void @g() [ "deopt"(i32 2) ]
  ret void
}
