; WANT: ok
target datalayout = "e-ni:4"

define i64 @src(ptr addrspace(4) %p) {
  %x = ptrtoint ptr addrspace(4) %p to i64
  call void @gc()
  %y = add i64 %x, %x
  ret i64 %y
}
define i64 @tgt(ptr addrspace(4) %p) {
  %x = ptrtoint ptr addrspace(4) %p to i64
  call void @gc()
  %y = shl i64 %x, 1
  ret i64 %y
}
declare void @gc()
