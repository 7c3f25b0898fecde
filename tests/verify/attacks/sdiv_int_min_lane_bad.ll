; WANT: bad
define i8 @src(<2 x i8> noundef %x) {
  %a = extractelement <2 x i8> %x, i32 0
  %r = sub i8 0, %a
  ret i8 %r
}
define i8 @tgt(<2 x i8> noundef %x) {
  %q = sdiv <2 x i8> %x, splat (i8 -1)
  %r = extractelement <2 x i8> %q, i32 0
  ret i8 %r
}
