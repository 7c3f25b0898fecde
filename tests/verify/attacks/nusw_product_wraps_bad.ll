; WANT: bad
define i32 @src(ptr %p) {
  %a = getelementptr nusw i32, ptr %p, i64 1
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %a = getelementptr nusw i32, ptr %p, i64 4611686018427387905
  %x = load i32, ptr %a, align 4
  ret i32 %x
}
