; WANT: bad
define void @src(ptr %p, ptr noalias %q) {
  %x = load i32, ptr %p
  store i32 %x, ptr %q
  ret void
}
define void @tgt(ptr %p, ptr noalias readonly %q) {
  %x = load i32, ptr %p
  store i32 %x, ptr %q
  ret void
}
