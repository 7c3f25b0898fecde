; WANT: bad, unknown: not shown to stay
target datalayout = "e-ni:4"

define i1 @src(ptr addrspace(4) %p, ptr addrspace(4) %q) {
  %x = icmp ult ptr addrspace(4) %p, %q
  call void @gc()
  ret i1 %x
}
define i1 @tgt(ptr addrspace(4) %p, ptr addrspace(4) %q) {
  call void @gc()
  %x = icmp ult ptr addrspace(4) %p, %q
  ret i1 %x
}
declare void @gc()
