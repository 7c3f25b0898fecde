; WANT: bad
define i8 @src(i8 %x, i1 noundef %0) {
  br i1 %0, label %2, label %3
2:
  br label %3
3:
  %4 = phi i8 [ 1, %1 ], [ 2, %2 ]
  ret i8 %4
}
define i8 @tgt(i8 %x, i1 noundef %0) {
  %2 = select i1 %0, i8 1, i8 2
  ret i8 %2
}
