; WANT: ok
define i8 @src(i8 %x) {
  %a = alloca i32
  ret i8 %x
}
define i8 @tgt(i8 %x) {
  ret i8 %x
}
