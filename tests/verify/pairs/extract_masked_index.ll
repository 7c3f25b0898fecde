; WANT: ok
define i32 @src(<4 x i32> %a, i32 %i) {
  %r = extractelement <4 x i32> %a, i32 %i
  ret i32 %r
}
define i32 @tgt(<4 x i32> %a, i32 %i) {
  %j = and i32 %i, 3
  %r = extractelement <4 x i32> %a, i32 %j
  ret i32 %r
}
