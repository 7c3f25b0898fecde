; WANT: bad
define i32 @src(i32 "noundef" "a"="noundef range(i32 0, 2)" %x) {
  %r = shl i32 %x, 1
  ret i32 %r
}
define i32 @tgt(i32 "noundef" "a"="noundef range(i32 0, 2)" %x) {
  %r = add i32 %x, %x
  ret i32 %r
}
