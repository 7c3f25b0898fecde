; WANT: ok
define i32 @src(ptr noundef nonnull dereferenceable(8) %p) {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define i32 @tgt(ptr %p) {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
