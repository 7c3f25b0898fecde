; WANT: bad
define i8 @src(ptr %p) {
  %a = getelementptr nuw i8, ptr %p, i64 -4
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
define i8 @tgt(ptr %p) {
  %a = getelementptr nuw i32, ptr %p, i64 -1
  %x = load i8, ptr %a, align 1
  ret i8 %x
}
