; WANT: bad, unknown: flags of an address
; The index is truncated to 0, which inbounds does not allow.
define i32 @src(ptr %p) {
  %x = load i32, ptr %p, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %a = getelementptr inbounds i8, ptr %p, i128 18446744073709551616
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
