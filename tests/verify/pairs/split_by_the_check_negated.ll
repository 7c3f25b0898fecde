; WANT: bad, unknown: reads what the source does not read there
define void @src(ptr noundef %p, ptr noundef %q) {
  %a = load i16, ptr %p, align 2
  store i16 %a, ptr %q, align 2
  %p4 = getelementptr i8, ptr %p, i64 2
  %c = load i16, ptr %p4, align 2
  %q4 = getelementptr i8, ptr %q, i64 2
  store i16 %c, ptr %q4, align 2
  ret void
}
define void @tgt(ptr noundef %p, ptr noundef %q) {
  %p4 = getelementptr i8, ptr %p, i64 2
  %q4 = getelementptr i8, ptr %q, i64 2
  %pi = ptrtoint ptr %p to i64
  %qi = ptrtoint ptr %q to i64
  %gap = sub i64 %qi, %pi
  %m = add i64 %gap, -4
  %t = icmp ult i64 %m, -40
  br i1 %t, label %s, label %f
f:
  %a = load i16, ptr %p, align 2
  %c = load i16, ptr %p4, align 2
  %v0 = insertelement <2 x i16> poison, i16 %a, i64 0
  %v1 = insertelement <2 x i16> %v0, i16 %c, i64 1
  store <2 x i16> %v1, ptr %q, align 2
  br label %e
s:
  %a2 = load i16, ptr %p, align 2
  store i16 %a2, ptr %q, align 2
  %b2 = load i16, ptr %p4, align 2
  store i16 %b2, ptr %q4, align 2
  br label %e
e:
  ret void
}
