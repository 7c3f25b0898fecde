; WANT: ok
define i32 @src(ptr %p) {
  %x = load i32, ptr %p
  %y = add i32 %x, 0
  ret i32 %y
}
define i32 @tgt(ptr readonly captures(none) nofree %p) memory(argmem: read) nofree nosync nounwind willreturn norecurse mustprogress nocallback {
  %x = load i32, ptr %p
  ret i32 %x
}
