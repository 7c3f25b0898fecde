; WANT: bad
define "@f(i32 noundef %x)" i32 @f(i32 %x) {
  %r = mul i32 %x, 3
  ret i32 %r
}
