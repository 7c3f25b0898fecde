; WANT: bad
define i32 @src(ptr %p) {
  %a = getelementptr nuw i8, ptr %p, i64 8
  %b = getelementptr i8, ptr %a, i64 -4
  %x = load i32, ptr %b, align 4
  ret i32 %x
}
define i32 @tgt(ptr %p) {
  %b = getelementptr nuw i8, ptr %p, i64 4
  %a = getelementptr nuw i8, ptr %b, i64 4
  %c = getelementptr i8, ptr %a, i64 -4
  %x = load i32, ptr %c, align 4
  ret i32 %x
}
