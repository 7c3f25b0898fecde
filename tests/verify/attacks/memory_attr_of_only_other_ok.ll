; WANT: ok
define i32 @src(ptr %p) memory(inaccessiblemem: readwrite) {
  %x = load i32, ptr %p
  ret i32 %x
}
define i32 @tgt(ptr %p) memory(inaccessiblemem: readwrite) {
  unreachable
}
