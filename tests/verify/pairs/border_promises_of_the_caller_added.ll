; WANT: bad, unknown: source lacks
define i32 @src(ptr %p) {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define i32 @tgt(ptr nonnull %p) {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
