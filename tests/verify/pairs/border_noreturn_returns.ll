; WANT: ok
define i32 @src(i32 %x) noreturn {
  ret i32 %x
}
define i32 @tgt(i32 %x) noreturn {
  unreachable
}
