; WANT: bad
declare void @g()
define void @src() {
  call void @g() #0
  ret void
}
define void @tgt() {
  call void @g() #1
  ret void
}
attributes #0 = { "a"="1" }
attributes #1 = { "a"="2" }
