; WANT: bad
$"a b" = comdat nodeduplicate
define i32 @"a b"() comdat {
  ret i32 1
}
