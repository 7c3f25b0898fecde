; WANT: bad, unknown: %out: %isel.pass.loop.1 of 'ret' was not shown to stay what it is
define i8 @src(ptr noalias noundef %p, ptr noalias noundef %q, i8 noundef %z) {
entry:
  %isel.pass.loop.1 = add i8 %z, 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %x = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %q, i64 %i
  store i8 %x, ptr %b, align 1
  %i1 = add i64 %i, 1
  %t = icmp eq i64 %i1, 8
  br i1 %t, label %out, label %loop
out:
  ret i8 %isel.pass.loop.1
}
define i8 @tgt(ptr noalias noundef %p, ptr noalias noundef %q, i8 noundef %z) {
entry:
  %zz = add i8 %z, 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %x = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %q, i64 %i
  store i8 %x, ptr %b, align 1
  %j = add i64 %i, 1
  %c = getelementptr i8, ptr %p, i64 %j
  %y = load i8, ptr %c, align 1
  %d = getelementptr i8, ptr %q, i64 %j
  store i8 %y, ptr %d, align 1
  %i1 = add i64 %i, 2
  %t = icmp eq i64 %i1, 8
  br i1 %t, label %out, label %loop
out:
  ret i8 %x
}
