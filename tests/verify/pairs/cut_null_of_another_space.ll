; WANT: bad, unknown: not shown to stay
define i8 @src(i64 %x) null_pointer_is_valid {
  %p = getelementptr i8, ptr null, i64 %x
  %q = getelementptr i8, ptr addrspace(1) null, i64 %x
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr addrspace(1) %q, align 1
  %r = sub i8 %a, %b
  ret i8 %r
}
define i8 @tgt(i64 %x) null_pointer_is_valid {
  %p = getelementptr i8, ptr null, i64 %x
  %q = getelementptr i8, ptr addrspace(1) null, i64 %x
  %z = getelementptr i8, ptr addrspace(1) %q, i64 0
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr addrspace(1) %z, align 1
  %r = sub i8 %b, %a
  ret i8 %r
}
