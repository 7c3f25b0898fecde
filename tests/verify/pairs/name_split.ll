; WANT: bad, unknown: %isel.split.3 of 'ret' was not shown to stay what it is
define i64 @src(ptr noundef %p, ptr noundef %q, i64 noundef %z) {
entry:
  %isel.split.3 = add i64 %z, 1
  %a = load i32, ptr %p, align 4
  store i32 %a, ptr %q, align 4
  %p4 = getelementptr i8, ptr %p, i64 4
  %b = load i32, ptr %p4, align 4
  %q4 = getelementptr i8, ptr %q, i64 4
  store i32 %b, ptr %q4, align 4
  ret i64 %isel.split.3
}
define i64 @tgt(ptr noundef %p, ptr noundef %q, i64 noundef %z) {
entry:
  %zz = add i64 %z, 1
  %p4 = getelementptr i8, ptr %p, i64 4
  %q4 = getelementptr i8, ptr %q, i64 4
  %pi = ptrtoint ptr %p to i64
  %qi = ptrtoint ptr %q to i64
  %gap = sub i64 %qi, %pi
  %m = add i64 %gap, -8
  %t = icmp ult i64 %m, -15
  br i1 %t, label %f, label %s
f:
  %a = load i32, ptr %p, align 4
  %b = load i32, ptr %p4, align 4
  %v0 = insertelement <2 x i32> poison, i32 %a, i64 0
  %v1 = insertelement <2 x i32> %v0, i32 %b, i64 1
  store <2 x i32> %v1, ptr %q, align 4
  br label %e
s:
  %a2 = load i32, ptr %p, align 4
  store i32 %a2, ptr %q, align 4
  %b2 = load i32, ptr %p4, align 4
  store i32 %b2, ptr %q4, align 4
  br label %e
e:
  ret i64 %pi
}
