; WANT: bad
; A branch on undef is undefined behaviour, whichever way it goes.
define i8 @src(i8 noundef %x) {
  ret i8 %x
}
define i8 @tgt(i8 noundef %x) {
entry:
  br i1 undef, label %one, label %other
one:
  ret i8 %x
other:
  ret i8 %x
}
