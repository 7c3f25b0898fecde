; WANT: ok
declare i32 @g(i32)
define i32 @src(i32 %x) {
  %r = call i32 @g(i32 %x)
  br label %b
b:
  %"a b" = add i32 %r, %x
  ret i32 %"a b"
}
define i32 @tgt(i32 %x) {
  %"r s" = call i32 @g(i32 %x)
  br label %"c d"
"c d":
  %1 = add i32 %"r s", %x
  ret i32 %1
}
