; WANT: bad, unknown: reads what the source does not read there
define i8 @src(ptr noundef %p) {
entry:
  br label %behind

behind:
  call void @stop()
  %x = load i8, ptr %p, align 1
  ret i8 %x
}
define i8 @tgt(ptr noundef %p) {
entry:
  %y = load i8, ptr %p, align 1
  %z = and i8 %y, 0
  br label %behind

behind:
  call void @stop()
  %x = load i8, ptr %p, align 1
  ret i8 %x
}
declare void @stop()
