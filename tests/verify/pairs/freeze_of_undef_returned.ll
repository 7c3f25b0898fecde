; WANT: bad
; The caller sees one number by each of its uses.
define i8 @src() {
  %f = freeze i8 undef
  ret i8 %f
}
define i8 @tgt() {
  ret i8 undef
}
