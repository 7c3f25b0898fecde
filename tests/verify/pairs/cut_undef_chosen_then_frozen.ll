; WANT: bad, unknown: not shown to stay
declare void @f()
declare void @g(i32)
declare void @gp(ptr)
define i32 @src(i32 noundef %x)  {
  %a = add i32 %x, undef
  %s = freeze i32 %a
  call void @g(i32 %s)
  ret i32 %s
}
define i32 @tgt(i32 noundef %x)  {
  call void @g(i32 %x)
  %a = add i32 %x, undef
  %t = freeze i32 %a
  ret i32 %t
}
