; WANT: ok
%0 = type { i32, i8 }
define i8 @src(ptr %0) {
  %2 = getelementptr %0, ptr %0, i64 0, i32 1
  %3 = load i8, ptr %2, align 1
  ret i8 %3
}
define i8 @tgt(ptr %0) {
  %2 = getelementptr i8, ptr %0, i64 4
  %3 = load i8, ptr %2, align 1
  ret i8 %3
}
