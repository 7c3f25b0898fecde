; WANT: bad, unknown: LangRef leaves open
; A poison dividend may be the least number: the remainder by -1 is then undefined behaviour.
define i32 @src(i32 %x) {
  ret i32 0
}
define i32 @tgt(i32 %x) {
  %h = lshr i32 %x, 1
  %r = srem i32 %h, -1
  ret i32 0
}
