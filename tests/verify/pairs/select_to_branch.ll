; WANT: bad
define i32 @src(i1 %c, i32 %x, i32 %y) {
  %r = select i1 %c, i32 %x, i32 %y
  ret i32 %r
}
define i32 @tgt(i1 %c, i32 %x, i32 %y) {
  br i1 %c, label %p, label %q
p:
  ret i32 %x
q:
  ret i32 %y
}
