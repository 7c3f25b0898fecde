; WANT: ok
define i32 @src(<4 x i32> %a) {
  %r = extractelement <4 x i32> %a, i32 4
  ret i32 %r
}
define i32 @tgt(<4 x i32> %a) {
  ret i32 9
}
