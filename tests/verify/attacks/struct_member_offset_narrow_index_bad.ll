; WANT: bad
target datalayout = "e-p1:32:16:16:8"
define i8 @src(ptr addrspace(1) %p) {
  %a = getelementptr inbounds i8, ptr addrspace(1) %p, i8 44
  %x = load i8, ptr addrspace(1) %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr addrspace(1) %p) {
  %a = getelementptr inbounds {[300 x i8], i8}, ptr addrspace(1) %p, i8 0, i32 1
  %x = load i8, ptr addrspace(1) %a, align 1
  ret i8 %x
}
