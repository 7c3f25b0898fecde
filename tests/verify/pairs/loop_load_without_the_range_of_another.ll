; WANT: ok
define void @src(ptr noundef %p, ptr noundef noalias %q, i64 noundef %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %s = getelementptr i8, ptr %p, i64 %i
  %o = getelementptr i8, ptr %q, i64 %i
  %a = load i8, ptr %s, align 1, !range !0
  %b = load i8, ptr %s, align 1
  %c = xor i8 %b, 1
  store i8 %c, ptr %o, align 1
  call void @see(i8 %a)
  %j = add i64 %i, 1
  %e = icmp eq i64 %j, %n
  br i1 %e, label %x, label %l
x:
  ret void
}
define void @tgt(ptr noundef %p, ptr noundef noalias %q, i64 noundef %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %s = getelementptr i8, ptr %p, i64 %i
  %o = getelementptr i8, ptr %q, i64 %i
  %a = load i8, ptr %s, align 1
  %b = load i8, ptr %s, align 1
  %c = xor i8 %a, 1
  store i8 %c, ptr %o, align 1
  call void @see(i8 %b)
  %j = add i64 %i, 1
  %e = icmp eq i64 %j, %n
  br i1 %e, label %x, label %l
x:
  ret void
}
declare void @see(i8)
!0 = !{i8 0, i8 2}
