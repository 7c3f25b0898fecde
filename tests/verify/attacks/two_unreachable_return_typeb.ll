; WANT: bad
%T = type { [100 x i64] }
define %T @f(i32 %x) {
  unreachable
}
