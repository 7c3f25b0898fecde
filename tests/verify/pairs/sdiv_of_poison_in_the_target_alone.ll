; WANT: bad, unknown: LangRef leaves open
; Both divide; only the target's dividend may be the least number where it is poison.
define i32 @src(i32 %x) {
  %d = sdiv i32 6, 3
  ret i32 0
}
define i32 @tgt(i32 %x) {
  %h = lshr i32 %x, 1
  %r = srem i32 %h, -1
  ret i32 0
}
