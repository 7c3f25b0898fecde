; WANT: bad
; Whatever the freeze gives, below 16 it stays: the argument's range holds in the counterexample, too.
define i8 @src(i8 noundef range(i8 0, 10) %x, i8 %y) {
  %f = freeze i8 %y
  %r = and i8 %f, %x
  ret i8 %r
}
define i8 @tgt(i8 noundef range(i8 0, 10) %x, i8 %y) {
  ret i8 16
}
