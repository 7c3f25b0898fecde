; WANT: ok
define i8 @src(<2 x i8> noundef %x, <2 x i8> noundef %y) {
  %a = extractelement <2 x i8> %x, i32 0
  %b = extractelement <2 x i8> %y, i32 0
  %r = udiv i8 %a, %b
  ret i8 %r
}
define i8 @tgt(<2 x i8> noundef %x, <2 x i8> noundef %y) {
  %d = insertelement <2 x i8> %y, i8 1, i32 1
  %q = udiv <2 x i8> %x, %d
  %r = extractelement <2 x i8> %q, i32 0
  ret i8 %r
}
