; WANT: ok
; in another space it is the same integer later
target datalayout = "e-ni:5"

define i64 @src(ptr addrspace(4) %p) {
  %x = ptrtoint ptr addrspace(4) %p to i64
  call void @gc()
  ret i64 %x
}
define i64 @tgt(ptr addrspace(4) %p) {
  call void @gc()
  %x = ptrtoint ptr addrspace(4) %p to i64
  ret i64 %x
}
declare void @gc()
