; WANT: bad
%T = type { i32 }
define i32 @f([2 x %T] %t, i32 %x) {
  %r = add i32 %x, 0
  ret i32 %r
}
