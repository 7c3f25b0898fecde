; WANT: bad
define i8 @src(i8 %x, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %p = phi i8 [ %x, %a ], [ undef, %0 ]
  ret i8 %p
}
define i8 @tgt(i8 %x, i1 noundef %c) {
  ret i8 %x
}
