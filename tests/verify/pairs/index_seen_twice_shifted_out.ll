; WANT: bad, unknown: reads what the source does not read there
; an index that may be undef is looked at twice, which the source does not do
target triple = "x86_64-pc-linux-gnu"

define i8 @src(ptr %p, i64 %u) {
  %x = shl i64 %u, 63
  %z = shl i64 %x, 1
  %a = getelementptr i8, ptr %p, i64 %z
  %l = load i8, ptr %a, align 1
  ret i8 %l
}

define i8 @tgt(ptr %p, i64 %u) {
  %x = shl i64 %u, 63
  %d = add i64 %x, %x
  %a = getelementptr i8, ptr %p, i64 %d
  %l = load i8, ptr %a, align 1
  ret i8 %l
}
