; WANT: bad
define "@f(i32 noundef %x)" i32 @f(i32 %x) {
  %a = add i32 %x, %x
  %r = add i32 %a, %x
  ret i32 %r
}
