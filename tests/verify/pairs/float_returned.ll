; WANT: ok
define float @src(float %x) {
  ret float %x
}
define float @tgt(float %x) {
  %unused = add i8 1, 1
  ret float %x
}
