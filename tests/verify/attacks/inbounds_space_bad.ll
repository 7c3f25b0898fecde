; WANT: bad
target datalayout = "e-p1:32:32"
define i8 @src(ptr addrspace(1) %p) {
  %a = getelementptr inbounds i8, ptr addrspace(1) %p, i32 4
  %x = load i8, ptr addrspace(1) %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr addrspace(1) %p) {
  %a = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4294967300
  %x = load i8, ptr addrspace(1) %a, align 1
  ret i8 %x
}
