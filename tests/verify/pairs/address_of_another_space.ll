; WANT: bad
target datalayout = "e-p1:16:16"
define void @src(ptr addrspace(1) %p) {
  %q = getelementptr i8, ptr addrspace(1) %p, i64 65536
  store i8 1, ptr addrspace(1) %p, align 1
  store i8 2, ptr addrspace(1) %q, align 1
  ret void
}
define void @tgt(ptr addrspace(1) %p) {
  %q = getelementptr i8, ptr addrspace(1) %p, i64 65536
  store i8 2, ptr addrspace(1) %q, align 1
  store i8 1, ptr addrspace(1) %p, align 1
  ret void
}
