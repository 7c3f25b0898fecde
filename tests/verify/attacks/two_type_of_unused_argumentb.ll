; WANT: bad
%T = type { i64, i64 }
define i32 @f(i32 %x, %T %t) {
  ret i32 %x
}
