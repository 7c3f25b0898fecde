; WANT: bad
declare i8 @g(i8)
define i8 @src(i8 %x) {
  %r = musttail call i8 @g(i8 %x)
  ret i8 %r
}
define i8 @tgt(i8 %y) {
  %r = call i8 @g(i8 %y)
  ret i8 %r
}
