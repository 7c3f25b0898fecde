; WANT: bad
define i8 @src(ptr %p) {
  %a = getelementptr inbounds i8, ptr %p, i64 8
  %b = getelementptr i8, ptr %p, i64 1
  %x = load i8, ptr %a, align 1
  %y = load i8, ptr %b, align 1
  %r = add i8 %x, %y
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %a = getelementptr inbounds [4 x i8], ptr %p, i64 2, i64 0
  %b = getelementptr inbounds i8, ptr %p, i64 1
  %x = load i8, ptr %a, align 1
  %y = load i8, ptr %b, align 1
  %r = add i8 %x, %y
  ret i8 %r
}
