; WANT: bad, unknown: was not shown to stay
define void @src(ptr noalias %q, ptr noalias %p, i64 %n) {
entry:
  %x0 = load i8, ptr %p, align 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %x = phi i8 [ %x0, %entry ], [ %x1, %loop ]
  %f = freeze i8 %x
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %f, ptr %o, align 1
  %x1 = add i8 %x, 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt(ptr noalias %q, ptr noalias %p, i64 %n) {
entry:
  %x0 = load i8, ptr %p, align 1
  %f = freeze i8 %x0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %x = phi i8 [ %x0, %entry ], [ %x1, %loop ]
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %f, ptr %o, align 1
  %x1 = add i8 %x, 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
