; WANT: bad
%T = type { i64, i64 }
define i32 @f([2 x %T] %t, i32 %x) {
  ret i32 %x
}
