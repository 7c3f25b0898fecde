; WANT: bad
define i16 @src(ptr %p) {
  %z = zext i8 undef to i16
  %m = mul i16 %z, 257
  store i16 %m, ptr %p, align 1
  %r = load i16, ptr %p, align 1
  store i16 0, ptr %p, align 1
  ret i16 %r
}
define i16 @tgt(ptr %p) {
  store <2 x i8> zeroinitializer, ptr %p, align 1
  ret i16 258
}
