; WANT: bad
$f = comdat any
define i32 @f() comdat {
  ret i32 1
}
