; WANT: bad
define i32 @src(i32 %x, float %f) {
  ret i32 %x
}
define i32 @tgt(i32 %x, float nofpclass(nan) %f) {
  ret i32 %x
}
