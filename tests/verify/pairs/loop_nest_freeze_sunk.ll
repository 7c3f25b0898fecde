; WANT: bad, unknown: was not shown to stay
define void @src(ptr noalias %q, ptr noalias %p, i64 %n) {
entry:
  br label %outer
outer:
  %y = phi i64 [ 0, %entry ], [ %y1, %next ]
  %a = getelementptr i8, ptr %p, i64 %y
  %x = load i8, ptr %a, align 1
  %f = freeze i8 %x
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %i1, %loop ]
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %f, ptr %o, align 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %next
next:
  %y1 = add nuw i64 %y, 1
  %d = icmp ult i64 %y1, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
define void @tgt(ptr noalias %q, ptr noalias %p, i64 %n) {
entry:
  br label %outer
outer:
  %y = phi i64 [ 0, %entry ], [ %y1, %next ]
  %a = getelementptr i8, ptr %p, i64 %y
  %x = load i8, ptr %a, align 1
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %i1, %loop ]
  %f = freeze i8 %x
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %f, ptr %o, align 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %next
next:
  %y1 = add nuw i64 %y, 1
  %d = icmp ult i64 %y1, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
