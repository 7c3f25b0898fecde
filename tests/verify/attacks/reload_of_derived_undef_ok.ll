; WANT: ok
define i16 @src(ptr %p, i8 %u) {
  %z = zext i8 %u to i16
  %m = mul i16 %z, 257
  store i16 %m, ptr %p, align 1
  %b = load i8, ptr %p, align 1
  ret i16 %m
}
define i16 @tgt(ptr %p, i8 %u) {
  %z = zext i8 %u to i16
  %m = mul i16 %z, 257
  store i16 %m, ptr %p, align 1
  %r = load i16, ptr %p, align 1
  ret i16 %r
}
