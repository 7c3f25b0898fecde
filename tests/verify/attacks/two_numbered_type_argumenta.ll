; WANT: bad
%0 = type { i32 }
define i32 @f(i32 %x, %0 %t) {
  %r = add i32 %x, 0
  ret i32 %r
}
