; WANT: bad, unknown: in a form
define i32 @src(i32 %x) {
  %r = call i32 asm "leal 1(%edi), $0", "=r,{edi}"(i32 %x)
  ret i32 %r
}
define i32 @tgt(i32 %x) {
  %r = call i32 asm "leal 1(%esi), $0", "=r,{edi}"(i32 %x)
  ret i32 %r
}
