; WANT: bad, unknown: call of
declare i32 @"%x"(i32)
declare i32 @"%y"(i32)
define i32 @src(i32 %x) {
  %r = call i32 @"%x"(i32 %x)
  ret i32 %r
}
define i32 @tgt(i32 %x) {
  %r = call i32 @"%y"(i32 %x)
  ret i32 %r
}
