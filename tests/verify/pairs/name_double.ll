; WANT: bad, unknown: %out: %isel.double.5 of 'ret' was not shown to stay what it is
define i64 @src(ptr noalias noundef %p, ptr noalias noundef %q, i64 noundef %n, i64 noundef %z) {
entry:
  %isel.double.5 = add i64 %z, 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %x = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %q, i64 %i
  store i8 %x, ptr %b, align 1
  %i1 = add i64 %i, 1
  %t = icmp eq i64 %i1, %n
  br i1 %t, label %out, label %loop
out:
  ret i64 %isel.double.5
}

define i64 @tgt(ptr noalias noundef %p, ptr noalias noundef %q, i64 noundef %n, i64 noundef %z) {
entry:
  %zz = add i64 %z, 1
  br label %loop
loop:
  %d.5 = add i64 0, 1
  %d.6 = icmp eq i64 %d.5, %n
  br i1 %d.6, label %d.2, label %isel.twice.0
isel.twice.0:
  %i = phi i64 [ 0, %loop ], [ %i1, %isel.twice.0 ]
  %d.7 = getelementptr i8, ptr %p, i64 %i
  %d.8 = load i8, ptr %d.7, align 1
  %d.9 = getelementptr i8, ptr %q, i64 %i
  store i8 %d.8, ptr %d.9, align 1
  %d.10 = add i64 %i, 1
  %a = getelementptr i8, ptr %p, i64 %d.10
  %x = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %q, i64 %d.10
  store i8 %x, ptr %b, align 1
  %i1 = add i64 %i, 2
  %d.4 = icmp eq i64 %i1, %n
  %d.13 = add i64 %i1, 1
  %d.12 = icmp eq i64 %d.13, %n
  %d.11 = or i1 %d.4, %d.12
  br i1 %d.11, label %d.1, label %isel.twice.0
d.1:
  br i1 %d.4, label %d.3, label %d.2
d.2:
  %d.14 = phi i64 [ 0, %loop ], [ %i1, %d.1 ]
  %d.15 = getelementptr i8, ptr %p, i64 %d.14
  %d.16 = load i8, ptr %d.15, align 1
  %d.17 = getelementptr i8, ptr %q, i64 %d.14
  store i8 %d.16, ptr %d.17, align 1
  %d.18 = add i64 %d.14, 1
  br label %d.3
d.3:
  br label %out
out:
  ret i64 %d.5
}
