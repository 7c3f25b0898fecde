; WANT: bad
; A freeze of undef is one number; undef is another one at each use.
define i8 @src() {
  %f = freeze i8 undef
  %r = xor i8 %f, %f
  ret i8 %r
}
define i8 @tgt() {
  %r = xor i8 undef, undef
  ret i8 %r
}
