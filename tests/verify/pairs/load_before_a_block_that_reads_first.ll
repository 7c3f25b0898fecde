; WANT: ok
define i8 @src(ptr noundef %p) {
entry:
  br label %behind

behind:
  %x = load i8, ptr %p, align 1
  call void @stop()
  ret i8 %x
}
define i8 @tgt(ptr noundef %p) {
entry:
  %y = load i8, ptr %p, align 1
  br label %behind

behind:
  %x = load i8, ptr %p, align 1
  call void @stop()
  ret i8 %x
}
declare void @stop()
