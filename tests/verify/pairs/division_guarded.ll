; WANT: ok
define i32 @src(i1 noundef %c, i32 noundef %x, i32 noundef %y) {
  br i1 %c, label %p, label %q
p:
  %u = udiv i32 %x, %y
  ret i32 %u
q:
  ret i32 0
}
define i32 @tgt(i1 noundef %c, i32 noundef %x, i32 noundef %y) {
  %z = select i1 %c, i32 %y, i32 1
  %u = udiv i32 %x, %z
  %r = select i1 %c, i32 %u, i32 0
  ret i32 %r
}
