; WANT: bad
%0 = type { i64 }
define i32 @f(i32 %x, %0 %t) {
  ret i32 %x
}
