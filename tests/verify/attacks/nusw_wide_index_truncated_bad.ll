; WANT: bad
define i32 @src(ptr %p) {
  %a = getelementptr nusw i8, ptr %p, i64 4
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %a = getelementptr nusw i8, ptr %p, i128 18446744073709551620
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
