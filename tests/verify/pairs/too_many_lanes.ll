; WANT: ok, unknown: a value of type <1048576 x i32>
define i32 @src(<1048576 x i32> %a) {
  %r = extractelement <1048576 x i32> %a, i32 0
  %s = add i32 %r, 0
  ret i32 %s
}
define i32 @tgt(<1048576 x i32> %a) {
  %r = extractelement <1048576 x i32> %a, i32 0
  ret i32 %r
}
