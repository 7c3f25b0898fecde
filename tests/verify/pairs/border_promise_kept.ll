; WANT: ok
define i8 @src(ptr writable dereferenceable(1) %p, i8 %x) {
  ret i8 %x
}
define i8 @tgt(ptr writable dereferenceable(1) %p, i8 %x) {
  %r = or i8 %x, 0
  ret i8 %r
}
