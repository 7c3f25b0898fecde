; WANT: bad
$f = comdat exactmatch
define i32 @f() comdat {
  ret i32 1
}
