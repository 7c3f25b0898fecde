; WANT: bad, unknown: the load %x of the target reads what the source does not read there
define i16 @src(ptr noundef %from, ptr noundef %to, i64 noundef %k) {
  %a = getelementptr i16, ptr %from, i64 %k
  %x = load i16, ptr %a, align 2
  store i16 %x, ptr %to, align 2
  %b = getelementptr i8, ptr %a, i64 2
  %y = load i16, ptr %b, align 2
  %z = add i16 %x, %y
  ret i16 %z
}
define i16 @tgt(ptr noundef %from, ptr noundef %to, i64 noundef %k) {
  %a = getelementptr i16, ptr %from, i64 %k
  %x = load <2 x i16>, ptr %a, align 2
  %l = extractelement <2 x i16> %x, i64 0
  %h = extractelement <2 x i16> %x, i64 1
  store i16 %l, ptr %to, align 2
  %z = add i16 %l, %h
  ret i16 %z
}
