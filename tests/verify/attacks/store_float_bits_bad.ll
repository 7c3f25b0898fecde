; WANT: bad
define void @src(ptr %p, float %f) {
  store float %f, ptr %p
  ret void
}
define void @tgt(ptr %p, float %f) {
  store float 0.0, ptr %p
  ret void
}
