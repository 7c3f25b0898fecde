; WANT: bad
define i16 @src(ptr addrspace(1) %p, ptr addrspace(2) %q) {
  store i16 1, ptr addrspace(1) %p
  %x = load i16, ptr addrspace(2) %q
  ret i16 %x
}
define i16 @tgt(ptr addrspace(1) %p, ptr addrspace(2) %q) {
  %x = load i16, ptr addrspace(2) %q
  store i16 1, ptr addrspace(1) %p
  ret i16 %x
}
