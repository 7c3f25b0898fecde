; WANT: bad
%T = type { i32 }
define %T @f(i32 %x) {
  %y = add i32 %x, 1
  unreachable
}
