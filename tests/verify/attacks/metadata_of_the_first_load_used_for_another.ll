; WANT: bad
; a byte that is looked at twice, the first time with a range: what both are stored as is the first
define void @src(ptr noundef %p, ptr noundef %q) {
entry:
  %a = load i32, ptr %p, align 4, !range !0
  store i32 %a, ptr %q, align 4
  %b = load i32, ptr %p, align 4
  %q4 = getelementptr inbounds i8, ptr %q, i64 4
  store i32 %b, ptr %q4, align 4
  ret void
}
define void @tgt(ptr noundef %p, ptr noundef %q) {
entry:
  %pi = ptrtoint ptr %p to i64
  %qi = ptrtoint ptr %q to i64
  %gap = sub i64 %qi, %pi
  %m = add i64 %gap, -4
  %t = icmp ult i64 %m, -11
  br i1 %t, label %f, label %s
f:
  %a = load i32, ptr %p, align 4, !range !0
  %v0 = insertelement <2 x i32> poison, i32 %a, i64 0
  %v1 = insertelement <2 x i32> %v0, i32 %a, i64 1
  store <2 x i32> %v1, ptr %q, align 4
  br label %e
s:
  %a2 = load i32, ptr %p, align 4, !range !0
  store i32 %a2, ptr %q, align 4
  %b2 = load i32, ptr %p, align 4
  %q4 = getelementptr inbounds i8, ptr %q, i64 4
  store i32 %b2, ptr %q4, align 4
  br label %e
e:
  ret void
}
!0 = !{i32 0, i32 10}
