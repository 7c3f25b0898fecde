; WANT: bad
$"a b" = comdat any
define i32 @"a b"() comdat {
  ret i32 1
}
